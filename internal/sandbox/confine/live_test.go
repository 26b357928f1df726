package confine

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// The live tests run this test binary again. That process confines one thread and
// executes the binary a third time, as the launch does: an irreversible restriction
// never touches the process of the tests. What it should do is in this variable.
const stepVariable = "CONFINE_TEST_STEP"

func TestMain(m *testing.M) {
	switch step := os.Getenv(stepVariable); step {
	case "":
		os.Exit(m.Run())
	case "probe":
		runProbes(os.Args[1], systemCallProbes)
	case "probe honest work":
		runProbes(os.Args[1], honest)
	case "probe files":
		runProbes(os.Args[1], fileProbes(os.Args[2]))
	case "end":
		os.Exit(0)
	case "filter":
		execUnderFilter(plan.Seccomp{RefuseKillZero: true}, os.Args[1:])
	case "filter with namespaces":
		execUnderFilter(plan.Seccomp{UserNamespaces: true}, os.Args[1:])
	case "ruleset":
		execUnderRuleset(os.Args[1], os.Args[2:])
	}
	os.Exit(3)
}

// A probe tries one thing and returns how it went.
type probe struct {
	name string
	try  func(dir string) unix.Errno
}

func runProbes(dir string, probes []probe) {
	runtime.LockOSThread()
	for _, p := range probes {
		fmt.Printf("%s=%d\n", p.name, int(p.try(dir)))
	}
	os.Exit(0)
}

// results runs this binary with a step and returns what its probes printed.
func results(t *testing.T, step string, args ...string) map[string]unix.Errno {
	t.Helper()
	out := runStep(t, step, args...)
	got := map[string]unix.Errno{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		name, number, ok := strings.Cut(lines.Text(), "=")
		var e int
		if _, err := fmt.Sscan(number, &e); !ok || err != nil {
			t.Fatalf("a probe printed %q", lines.Text())
		}
		got[name] = unix.Errno(e)
	}
	return got
}

func runStep(t *testing.T, step string, args ...string) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := stepCommand(self, step, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", step, args, err, out, stderr.Bytes())
	}
	return out
}

func stepCommand(binary, step string, args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), stepVariable+"="+step)
	return cmd
}

// execUnderFilter installs the filter on this thread and executes argv, whose first
// word is a step or the path of a program.
func execUnderFilter(s plan.Seccomp, argv []string) {
	runtime.LockOSThread()
	f, err := Filter(s, runtime.GOARCH)
	if err != nil {
		die("filter", err)
	}
	noNewPrivileges()
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); e != 0 {
		die("seccomp", e)
	}
	execNext(argv)
}

func noNewPrivileges() {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		die("no_new_privs", err)
	}
}

// execNext executes a program by its path, or this binary where argv begins with the
// name of a step.
func execNext(argv []string) {
	if strings.HasPrefix(argv[0], "probe") {
		self, err := os.Executable()
		if err != nil {
			die("executable", err)
		}
		if err := os.Setenv(stepVariable, argv[0]); err != nil {
			die("setenv", err)
		}
		argv = append([]string{self}, argv[1:]...)
	}
	die(argv[0], unix.Exec(argv[0], argv, os.Environ()))
}

func die(what string, err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
	os.Exit(2)
}
