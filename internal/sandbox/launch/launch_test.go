package launch_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"jail/internal/detect"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// facts describes this machine as far as a test of the launch needs it.
func facts(t *testing.T) plan.Facts {
	t.Helper()
	f := plan.Facts{
		Owner:  plan.Owner{UID: uint32(os.Getuid()), GID: uint32(os.Getgid())},
		Homes:  []string{"/home/tester"},
		Kernel: plan.Kernel{MountAPI: true, Seccomp: true, Openat2: true, CloseRange: true, CgroupNS: true},
		Memory: 1 << 30,
	}
	for _, p := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"} {
		if s, err := detect.Stat(p); err == nil {
			f.System = append(f.System, s)
		}
	}
	for _, p := range []string{"/dev/null", "/dev/zero", "/dev/urandom", "/dev/tty"} {
		f.Devices = append(f.Devices, stat(t, p))
	}
	f.Stdio = [3]plan.Descriptor{{FD: 0, Type: plan.FIFO}, {FD: 1, Type: plan.FIFO}, {FD: 2, Type: plan.FIFO}}
	return f
}

func stat(t *testing.T, path string) plan.Source {
	t.Helper()
	s, err := detect.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// input is a plan's input for a command in a new project.
func input(t *testing.T, args ...string) plan.Input {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return plan.Input{
		Policy:  plan.Policy{Mode: plan.Normal, Network: plan.NetworkHost},
		Facts:   facts(t),
		Root:    plan.Root{Path: root, ID: stat(t, root).ID, Why: "a test"},
		Command: plan.Command{Path: args[0], Args: args, Cwd: root, Env: []string{"PATH=/usr/bin:/bin", "HOME=/home/tester"}},
		Judge:   func(env []string, _ func(string) bool) ([]string, plan.Environ) { return env, plan.Environ{} },
	}
}

// run runs in and fails the test where the jail could not be made.
func run(t *testing.T, in plan.Input) launch.Result {
	t.Helper()
	r, err := try(t, in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func try(t *testing.T, in plan.Input) (launch.Result, error) {
	t.Helper()
	p, err := plan.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	return launch.Run(p)
}

// shell runs a script in a jail and returns what it wrote to the file out in
// the project.
func shell(t *testing.T, in plan.Input, script string) string {
	t.Helper()
	in.Command.Args = []string{"/bin/sh", "-c", "exec >out 2>&1\n" + script}
	in.Command.Path = "/bin/sh"
	r := run(t, in)
	b, err := os.ReadFile(filepath.Join(in.Root.Path, "out"))
	if err != nil {
		t.Fatalf("%v: result %+v", err, r)
	}
	return strings.TrimSpace(string(b))
}

func TestRunTrue(t *testing.T) {
	if r := run(t, input(t, "/bin/true")); r != (launch.Result{Home: -1}) {
		t.Errorf("got %+v", r)
	}
}

func TestRunSees(t *testing.T) {
	t.Log(shell(t, input(t, "/bin/sh"), `
id; pwd; ls -la / /dev /home /tmp; cat /proc/self/status | grep -E "Cap|NoNew|Secc"; mount; ls -l /proc/self/fd; cat /proc/1/environ; cat /proc/1/cmdline; ps ax; touch /x; ulimit -a`))
}

// On a kernel without openat2 and close_range the same holds, by older calls.
func TestOlderCalls(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	dir, err := os.Open("/")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	// Go marks what it opens; a caller's descriptor comes without the mark.
	fd, err := unix.Dup(int(dir.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	script := "ls /proc/self/fd | tr '\\n' ' '; ls /proc/$$/fd/" + strconv.Itoa(fd) + "/home"
	in := input(t, "/bin/sh")
	if got := shell(t, in, script); !strings.HasPrefix(got, "0 1 2 3 ls: cannot access") {
		t.Errorf("with close_range: %q", got)
	}
	in = input(t, "/bin/sh")
	in.Facts.Kernel.CloseRange, in.Facts.Kernel.Openat2 = false, false
	if got := shell(t, in, script); !strings.HasPrefix(got, "0 1 2 3 ls: cannot access") {
		t.Errorf("without: %q", got)
	}
}

// A copy stands in a home that stays writable, and over a file of the project, and
// can be changed in neither place.
func TestCopies(t *testing.T) {
	in := input(t, "/bin/sh")
	own := filepath.Join(in.Root.Path, ".npmrc")
	if err := os.WriteFile(own, []byte("token\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	in.Facts.Settings = []plan.Copy{
		{Destination: "/home/tester/.npmrc", Data: []byte("registry\n")},
		{Destination: own, ID: stat(t, own).ID, Data: []byte("stripped\n")},
	}
	got := shell(t, in, `cat ~/.npmrc .npmrc; for f in ~/.npmrc .npmrc; do echo x >$f; rm $f; chmod 777 $f; done 2>/dev/null; touch ~/y && cat ~/.npmrc .npmrc`)
	if got != "registry\nstripped\nregistry\nstripped" {
		t.Errorf("%q", got)
	}
	if b, err := os.ReadFile(own); err != nil || string(b) != "token\n" {
		t.Errorf("on the host: %q, %v", b, err)
	}
}
