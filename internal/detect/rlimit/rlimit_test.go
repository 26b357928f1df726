// The tests are a package of their own: a test inside rlimit would import testing,
// hence os and syscall, and so move what it tests behind them.
package rlimit_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"jail/internal/detect/rlimit"
)

// The test starts itself under another limit and looks at what the copy saw.
func TestNOFILEIsTheCallers(t *testing.T) {
	if os.Getenv("JAIL_TEST_RLIMIT") != "" {
		printLimits(t)
		return
	}
	cmd := exec.Command("/bin/sh", "-c", `ulimit -Sn 777 && exec "$0" -test.run='^TestNOFILEIsTheCallers$' -test.v`, os.Args[0])
	cmd.Env = append(os.Environ(), "JAIL_TEST_RLIMIT=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("run self: %v\n%s", err, out)
	}
	for _, want := range []string{"at start: 777\n", "raised: true\n"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

// printLimits also says whether Go raised the limit, because a limit that Go
// left alone would prove nothing.
func printLimits(t *testing.T) {
	soft, _, ok := rlimit.NOFILE()
	if !ok {
		t.Fatal("the limit at start is not known")
	}
	var now syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &now); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("at start: %d\nraised: %t\n", soft, now.Cur > soft)
}
