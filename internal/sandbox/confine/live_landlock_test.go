package confine

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// liveRuleset is the ruleset of the live test: in dir, one subdirectory for each
// access, and what a program needs to start.
func liveRuleset(dir string) (plan.Landlock, error) {
	self, err := os.Executable()
	if err != nil {
		return plan.Landlock{}, err
	}
	abi, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 {
		return plan.Landlock{}, e
	}
	l := plan.Landlock{ABI: int(abi), ScopeSignals: abi >= 6}
	for _, name := range []plan.Access{plan.AccessList, plan.AccessRead, plan.AccessExecute, plan.AccessWrite} {
		l.Rules = append(l.Rules, plan.LandlockRule{Path: filepath.Join(dir, string(name)), Dir: true, Access: name})
	}
	l.Rules = append(l.Rules,
		plan.LandlockRule{Path: self, Access: plan.AccessExecute},
		plan.LandlockRule{Path: "/usr", Dir: true, Access: plan.AccessExecute}, // with -race it is not static
		plan.LandlockRule{Path: "/proc", Dir: true, Access: plan.AccessRead},
		plan.LandlockRule{Path: "/dev/ptmx", Access: plan.AccessDevice},
		plan.LandlockRule{Path: "/dev/null", Access: plan.AccessWrite},
	)
	return l, nil
}

func execUnderRuleset(dir string, argv []string) {
	runtime.LockOSThread()
	l, err := liveRuleset(dir)
	if err != nil {
		die("rules", err)
	}
	rs, err := Landlock(l)
	if err != nil {
		die("lower", err)
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: rs.HandledFS, Scoped: rs.Scoped}
	fd, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if e != 0 {
		die("create ruleset", e)
	}
	for _, r := range rs.Rules {
		at, err := unix.Open(r.Path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			die(r.Path, err)
		}
		if e := addRule(int(fd), at, r.Access); e != 0 {
			die("rule for "+r.Path, e)
		}
	}
	noNewPrivileges()
	if _, _, e := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); e != 0 {
		die("restrict", e)
	}
	execNext(argv)
}

// fileProbes try the same things below every subdirectory, and some that have to do
// with one.
func fileProbes(dir string) []probe {
	var all []probe
	for _, access := range []plan.Access{plan.AccessList, plan.AccessRead, plan.AccessExecute, plan.AccessWrite, "none"} {
		d := filepath.Join(dir, string(access))
		add := func(what string, try func() unix.Errno) {
			all = append(all, probe{fmt.Sprintf("%s: %s", access, what), func(string) unix.Errno { return try() }})
		}
		add("list", func() unix.Errno { _, err := os.ReadDir(d); return rootCause(err) })
		add("read", func() unix.Errno { return closing(unix.Open(d+"/file", unix.O_RDONLY, 0)) })
		add("run", func() unix.Errno { return asErrno(stepCommand(d+"/program", "end").Run()) })
		add("write", func() unix.Errno { return closing(unix.Open(d+"/file", unix.O_WRONLY, 0)) })
		add("truncate", func() unix.Errno { return toErrno(unix.Truncate(d+"/file", 0)) })
		add("create", func() unix.Errno { return closing(unix.Open(d+"/new", unix.O_CREAT|unix.O_WRONLY, 0o644)) })
		add("socket", func() unix.Errno { return listenAndDial("unix", d+"/sock") })
		add("rename into a directory", func() unix.Errno { return toErrno(unix.Rename(d+"/file", d+"/sub/file")) })
		add("link back", func() unix.Errno { return toErrno(unix.Link(d+"/sub/other", d+"/other")) })
		add("whiteout", func() unix.Errno { return toErrno(unix.Mknod(d+"/whiteout", unix.S_IFCHR|0o600, 0)) })
	}
	return append(all,
		probe{"terminal: ioctl", func(string) unix.Errno { return terminalNumber("/dev/ptmx") }},
		probe{"null: write", func(string) unix.Errno { return closing(unix.Open("/dev/null", unix.O_WRONLY|unix.O_TRUNC, 0)) }},
		probe{"null: ioctl", func(string) unix.Errno { return onNull(unix.TCGETS) }},
		probe{"caller: signal", func(string) unix.Errno { return raw(unix.SYS_KILL, uintptr(os.Getppid()), 0) }},
	)
}

func rootCause(err error) unix.Errno {
	if p, ok := err.(*os.PathError); ok {
		return toErrno(p.Err)
	}
	return asErrno(err)
}

func terminalNumber(path string) unix.Errno {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return toErrno(err)
	}
	defer unix.Close(fd)
	_, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
	return toErrno(err)
}

// TestLiveRuleset restricts a process by the accesses of a plan. What is granted ends
// as it does without a ruleset, all else is refused.
func TestLiveRuleset(t *testing.T) {
	abi := kernelABI(t)
	free := results(t, "probe files", "-", liveTree(t))
	dir := liveTree(t)
	under := results(t, "ruleset", dir, "probe files", "-", dir)
	granted := map[plan.Access][]string{
		plan.AccessList:    {"list"},
		plan.AccessRead:    {"list", "read"},
		plan.AccessExecute: {"list", "read", "run"},
		plan.AccessWrite:   {"list", "read", "run", "write", "truncate", "create", "socket", "rename into a directory", "link back"},
		"terminal":         {"ioctl"},
		"null":             {"write"},
	}
	want := map[string]bool{"null: ioctl": abi < 5, "caller: signal": abi < 6}
	for access, list := range granted {
		for _, what := range list {
			want[fmt.Sprintf("%s: %s", access, what)] = true
		}
	}
	for name, e := range free {
		refused := under[name] == unix.EACCES || under[name] == unix.EPERM || under[name] == unix.EIO || under[name] == unix.EXDEV
		switch {
		case want[name] && (under[name] != e || refused):
			t.Errorf("%s: %v free, %v under the ruleset", name, e, under[name])
		case !want[name] && !refused:
			t.Errorf("%s: %v under the ruleset", name, under[name])
		case !want[name] && e == under[name]:
			t.Errorf("%s: %v without a ruleset too, so this shows nothing", name, e)
		}
	}
}

// liveTree makes the directories that fileProbes look for, each with a file, a program
// (a copy of this one) and a directory.
func liveTree(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"list", "read", "execute", "write", "none"} {
		d := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(d, "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string][]byte{"file": []byte("x"), "sub/other": []byte("x"), "program": program} {
			if err := os.WriteFile(filepath.Join(d, file), text, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}
