package launch_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"
)

var update = flag.Bool("update", false, "write the golden files")

// small is a plan with one mount of each kind and everything that a program can
// have. It is for reading, not for running.
func small() *plan.Plan {
	id := func(n uint64) plan.ID { return plan.ID{Dev: 1, Ino: n} }
	why := func(text string) plan.Reason { return plan.Reason{Text: text} }
	return &plan.Plan{
		Process:    plan.Process{Path: "/usr/bin/true", Args: []string{"true"}, Cwd: "/home/u/p"},
		Namespaces: []plan.Namespace{plan.UserNS, plan.MountNS, plan.PidNS, plan.NetworkNS},
		Mounts: []plan.Mount{
			{Kind: plan.File, Destination: "/.jail/inside", Type: plan.Regular, Perm: 0o444, Data: []byte("normal\n"), Reason: why("tells a shim")},
			{Kind: plan.Link, Source: "usr/bin", Destination: "/bin", Type: plan.Symlink, Reason: why("system")},
			{Kind: plan.Tmpfs, Destination: "/dev", Type: plan.Directory, ReadOnly: true, Perm: 0o755, Reason: why("devices")},
			{Kind: plan.Bind, Source: "/dev/null", Destination: "/dev/null", Type: plan.CharDevice, ID: id(1), Device: true, Reason: why("devices")},
			{Kind: plan.Devpts, Destination: "/dev/pts", Type: plan.Directory, Reason: why("terminals")},
			{Kind: plan.Tmpfs, Destination: "/home", Type: plan.Directory, Perm: 0o755, Size: 1 << 20, Inodes: 100, Reason: why("home")},
			{Kind: plan.Dir, Destination: "/home/u", Type: plan.Directory, Perm: 0o700, Reason: why("home")},
			{Kind: plan.Bind, Source: "/home/u/p", Destination: "/home/u/p", Type: plan.Directory, ID: id(2), Reason: why("project")},
			{Kind: plan.Mask, Destination: "/home/u/p/.env", Type: plan.Regular, ID: id(3), Reason: why(".env")},
			{Kind: plan.Pin, Destination: "/home/u/p/.git", Type: plan.Directory, ID: id(4), Reason: why("pinned")},
			{Kind: plan.Deny, Destination: "/home/u/p/secrets", Type: plan.Directory, ID: id(5), Reason: why("secrets/")},
			{Kind: plan.Proc, Destination: "/proc", Type: plan.Directory, Reason: why("processes")},
			{Kind: plan.Bind, Source: "/usr", Destination: "/usr", Type: plan.Directory, ID: id(6), ReadOnly: true, Reason: why("system")},
		},
		Rlimits:  []plan.Rlimit{{Name: "NOFILE", Soft: 10, Hard: 20}},
		Landlock: &plan.Landlock{ABI: 7, Rules: []plan.LandlockRule{{Path: "/usr", Dir: true, Access: plan.AccessExecute}, {FD: 2, Access: plan.AccessWrite}}},
		Seccomp:  &plan.Seccomp{},
		Keep:     []plan.Descriptor{{FD: 5, Type: plan.FIFO}},
		Calls:    plan.Calls{Openat2: true, CloseRange: true},
	}
}

func TestProgramGolden(t *testing.T) {
	pr, err := launch.Lower(small())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := pr.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/program.txt"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s differs; look at it with -update and git diff:\n%s", file, b.String())
	}
}

// The order of the parts is what keeps a jail: mounts before the privileges go,
// Landlock after the last mount, seccomp at the very end.
func TestProgramOrder(t *testing.T) {
	pr, err := launch.Lower(small())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	pr.WriteText(&b)
	at := -1
	for _, part := range []string{
		"# make mounts private", "# attach root", "move_mount tree target \"/usr\"", "# change root", "# leave the host's root",
		"# limit NOFILE", "# close descriptors", "# lock the secure bits", "# no new privileges", "# drop capabilities",
		"# no dump", "# restrict by landlock", "# restrict by seccomp",
	} {
		i := strings.LastIndex(b.String(), part)
		if i <= at {
			t.Errorf("%q comes too early, or is not there", part)
		}
		at = i
	}
	if rest := strings.TrimRight(b.String()[at:], "\n"); strings.Contains(rest, "\n") {
		t.Errorf("something comes after the filter: %q", rest)
	}
}

// What lies on the host is never created: only below a file system of the jail's
// own does the program make directories and files.
func TestProgramCreatesNothingOnTheHost(t *testing.T) {
	p := small()
	p.Mounts = append(p.Mounts, plan.Mount{Kind: plan.Bind, Source: "/a", Destination: "/usr/new/deep", Type: plan.Directory, ID: plan.ID{Dev: 1, Ino: 7}})
	pr, err := launch.Lower(p)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	pr.WriteText(&b)
	for _, line := range strings.Split(b.String(), "\n") {
		call, rest, _ := strings.Cut(line, " ")
		makes := call == "mkdirat" || call == "mknodat" || call == "symlinkat"
		if makes && (strings.Contains(rest, `"/usr/`) || strings.Contains(rest, `"/home/u/p/`)) {
			t.Error(line)
		}
	}
}

func TestLowerRefuses(t *testing.T) {
	for name, change := range map[string]func(*plan.Plan){
		"a kind that nobody knows": func(p *plan.Plan) { p.Mounts[0].Kind = "magic" },
		"a limit nobody knows":     func(p *plan.Plan) { p.Rlimits[0].Name = "LUCK" },
	} {
		p := small()
		change(p)
		if _, err := launch.Lower(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
