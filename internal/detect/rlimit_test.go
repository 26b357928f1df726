package detect

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// The test starts itself under other limits and looks at what the copy says.
func TestRlimitsAreTheCallers(t *testing.T) {
	if os.Getenv("JAIL_TEST_RLIMITS") != "" {
		for _, l := range Rlimits() {
			fmt.Printf("%s %d %d\n", l.Name, l.Soft, l.Hard)
		}
		return
	}
	cmd := exec.Command("/bin/sh", "-c", `ulimit -Sn 777; ulimit -Hn 999; ulimit -c 0; ulimit -Sf 4096
		exec "$0" -test.run='^TestRlimitsAreTheCallers$' -test.v`, os.Args[0])
	cmd.Env = append(os.Environ(), "JAIL_TEST_RLIMITS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("run self: %v\n%s", err, out)
	}
	for _, want := range []string{"\nNOFILE 777 999\n", "\nCORE 0 0\n", "\nFSIZE 2097152 "} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func TestRlimitsInOrder(t *testing.T) {
	got := Rlimits()
	if len(got) != 16 || !slices.IsSortedFunc(got, func(a, b plan.Rlimit) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("got %+v", got)
	}
	var stack unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_STACK, &stack))
	if last := got[len(got)-1]; last.Name != "STACK" || last.Soft != stack.Cur || last.Hard != stack.Max {
		t.Errorf("got %+v, want %+v", last, stack)
	}
}
