package detect

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/creack/pty"

	"jail/internal/sandbox/plan"
)

func TestHost(t *testing.T) {
	facts, err := Host(HostOptions{UID: uint32(os.Geteuid())})
	must(t, err)
	for _, want := range []string{"/etc", "/usr", "/bin"} {
		i := slices.IndexFunc(facts.System, func(s plan.Source) bool { return s.Path == want })
		if i < 0 {
			t.Errorf("System has no %s: %q", want, paths(facts.System))
			continue
		}
		if again, err := Stat(want); err != nil || facts.System[i] != again {
			t.Errorf("got %+v, Stat says %+v, %v", facts.System[i], again, err)
		}
	}
	if got := paths(facts.Devices); !slices.Equal(got, []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}) {
		t.Errorf("Devices: %q", got)
	}
	hidden, err := unreadable("/etc")
	if os.Geteuid() != 0 {
		hidden = withinReach(hidden)
	}
	if err != nil || !slices.Equal(facts.Hidden, hidden) {
		t.Errorf("Hidden: %q, want %q, %v", paths(facts.Hidden), paths(hidden), err)
	}
	for _, list := range [][]plan.Source{facts.System, facts.Hidden, facts.Links} {
		if !slices.IsSortedFunc(list, byPath) {
			t.Errorf("not in order: %q", paths(list))
		}
	}
}

func TestHostTwiceIsTheSame(t *testing.T) {
	a, err := Host(HostOptions{})
	must(t, err)
	b, err := Host(HostOptions{})
	must(t, err)
	if !slices.Equal(a.Links, b.Links) || !slices.Equal(a.Hidden, b.Hidden) || !slices.Equal(a.Proc, b.Proc) || !slices.Equal(a.System, b.System) {
		t.Errorf("%+v, then %+v", a, b)
	}
}

func TestPresentFailsOnWhatItCannotSee(t *testing.T) {
	tr := newScene(t)
	tr.file("closed/f", 0o644)
	got, err := present(tr.path("none"), tr.path("closed/f/x"), tr.path("closed/f"))
	if err != nil || len(got) != 1 {
		t.Errorf("got %q, %v", paths(got), err)
	}
	tr.dirMode("closed", 0o600)
	t.Cleanup(func() { tr.dirMode("closed", 0o700) })
	asNobody(t, func() {
		if got, err := present(tr.path("closed/f")); err == nil {
			t.Errorf("got %q", paths(got))
		}
	})
}

func TestProcEntries(t *testing.T) {
	tr := newScene(t)
	tr.dir("sys")
	tr.dir("bus")
	tr.dir("acpi")
	tr.file("sysrq-trigger", 0o200)
	tr.file("timer_list", 0o400)
	tr.file("keys", 0o444)
	tr.file("kcore", 0o440)
	tr.file("mtrr", 0o666)
	tr.file("uptime", 0o444)
	tr.link("bus", "fs")
	names := func(uid uint32) (all []string) {
		for _, e := range procEntries(tr.root, procTable(), uid) {
			name := lastName(e.Source.Path)
			if !e.Source.ID.IsZero() || e.Source.Path != tr.path(name) {
				t.Errorf("%+v", e)
			}
			all = append(all, name+" "+strconv.FormatBool(e.Hidden))
		}
		return all
	}
	root := []string{"acpi true", "bus false", "kcore true", "keys true", "mtrr false", "sys false", "sysrq-trigger false", "timer_list true"}
	if got := names(0); !slices.Equal(got, root) {
		t.Errorf("root: %q", got)
	}
	user := []string{"acpi true", "kcore true", "keys true", "mtrr false", "sys false"}
	if got := names(1000); !slices.Equal(got, user) {
		t.Errorf("a user: %q", got)
	}
}

// What root's files in the real /proc would let a root caller write must be in
// the table; pressure is writable by everybody, by design.
func TestProcTableCoversWhatRootCouldWrite(t *testing.T) {
	var covered []string
	for _, e := range procEntries("/proc", procTable(), 0) {
		covered = append(covered, e.Source.Path)
	}
	names, err := os.ReadDir("/proc")
	must(t, err)
	for _, name := range names {
		src, err := Stat("/proc/" + name.Name())
		if _, isProcess := strconv.Atoi(name.Name()); err != nil || isProcess == nil || src.Type != plan.Regular {
			continue
		}
		if src.Perm&0o222 != 0 && !slices.Contains(covered, src.Path) {
			t.Errorf("%s has mode %o and is not in the table", src.Path, src.Perm)
		}
	}
	if !slices.Contains(covered, "/proc/sys") {
		t.Errorf("covered: %q", covered)
	}
}

func TestSysEntries(t *testing.T) {
	tr := newScene(t)
	tr.dir("firmware")
	tr.dir("kernel/debug") // nothing is mounted on it
	tr.dir("devices/virtual/powercap")
	if got := paths(sysEntries(tr.root, 0)); !slices.Equal(got, []string{tr.path("devices/virtual/powercap"), tr.path("firmware")}) {
		t.Errorf("root: %q", got)
	}
	if got := paths(sysEntries(tr.root, 1000)); !slices.Equal(got, []string{tr.path("firmware")}) {
		t.Errorf("a user: %q", got)
	}
	tr.dirMode("firmware", 0o700)
	if got := sysEntries(tr.root, 1000); got != nil {
		t.Errorf("closed: %q", paths(got))
	}
	if got := sysEntries(tr.path("none"), 0); got != nil {
		t.Errorf("none: %q", paths(got))
	}
}

func TestLinksOutside(t *testing.T) {
	tr := newScene(t)
	tr.dir("usr")
	stub := tr.file("run/resolve/stub.conf", 0o644)
	tr.file("run/secret.conf", 0o640)
	certs := tr.dir("var/lib/certs")
	varOpt := tr.dir("var/opt")
	varRun := tr.link(tr.path("run"), "var/run")
	resolv := tr.link("../var/run/resolve/stub.conf", "etc/resolv.conf")
	tr.link(tr.path("run/hop"), "etc/hosts")
	hop := tr.link("../etc/real-hosts", "run/hop")
	tr.file("etc/real-hosts", 0o644)
	tr.file("etc/passwd", 0o644)
	system, err := present(tr.path("etc"), tr.link("var/opt", "opt"), tr.path("usr"))
	must(t, err)
	got := linksOutside(system, resolv, tr.path("etc/hosts"), tr.path("etc/passwd"), tr.path("etc/none"),
		tr.link("passwd", "etc/inside"), tr.link("../run/gone", "etc/dangling"), tr.link("loop", "etc/loop"),
		tr.link(tr.path("run/secret.conf"), "etc/secret"), tr.link("/dev/null", "etc/null"), tr.link(certs, "etc/certs"))
	want := []string{hop, stub, certs, varOpt, varRun}
	if !slices.Equal(paths(got), want) {
		t.Errorf("got %q, want %q", paths(got), want)
	}
	for _, src := range got {
		if again, err := Stat(src.Path); err != nil || again != src {
			t.Errorf("got %+v, Stat says %+v, %v", src, again, err)
		}
	}
}

func TestLockdownEtc(t *testing.T) {
	got := LockdownEtc()
	if !slices.IsSortedFunc(got, byPath) || !slices.Contains(paths(got), "/etc/passwd") {
		t.Errorf("got %q", paths(got))
	}
	for _, src := range got {
		if src.Path == "/etc/shadow" || src.Type != plan.Symlink && !readable(src) {
			t.Errorf("%+v", src)
		}
	}
}

func TestDevices(t *testing.T) {
	tr := newScene(t)
	if got := paths(devices("/dev/zero", tr.file("null", 0o666), tr.path("none"), "/dev")); !slices.Equal(got, []string{"/dev/zero"}) {
		t.Errorf("got %q", got)
	}
}

func TestGPUs(t *testing.T) {
	tr := newScene(t)
	for _, name := range []string{"nvidia1", "nvidia0", "nvidia-caps", "nvme0", "dri", "null"} {
		tr.dir(name)
	}
	tr.file("kfd", 0o666) // not a device
	if got := paths(gpus(tr.root)); !slices.Equal(got, []string{tr.path("dri")}) {
		t.Errorf("without nvidiactl: %q", got)
	}
	tr.dir("nvidiactl")
	want := []string{tr.path("nvidia-caps"), tr.path("nvidia0"), tr.path("nvidia1"), tr.path("nvidiactl"), tr.path("dri")}
	if got := paths(gpus(tr.root)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConsole(t *testing.T) {
	ptmx, tty, err := pty.Open()
	must(t, err)
	defer ptmx.Close()
	defer tty.Close()
	pipe, _, err := os.Pipe()
	must(t, err)
	defer pipe.Close()
	var fds [3]plan.Descriptor
	fds[0] = plan.Descriptor{FD: int(pipe.Fd())}
	if got := console(fds); got.Path != "" {
		t.Errorf("without a terminal: %+v", got)
	}
	fds[1] = stdio(int(tty.Fd()))
	if got := console(fds); got.Path != tty.Name() || got.Type != plan.CharDevice || !fds[1].Terminal {
		t.Errorf("got %+v, want %s", got, tty.Name())
	}
	file, err := os.Open(newScene(t).file("f", 0o644))
	must(t, err)
	defer file.Close()
	if got := console([3]plan.Descriptor{{FD: int(file.Fd()), Terminal: true}}); got.Path != "" {
		t.Errorf("not in /dev: %+v", got)
	}
}

// A terminal whose device has another file at its name, as when it came from
// another container, has no name here.
func TestConsoleOfAnotherName(t *testing.T) {
	ptmx, tty, err := pty.Open()
	must(t, err)
	defer tty.Close()
	d := stdio(int(tty.Fd()))
	must(t, ptmx.Close()) // takes the device away, the descriptor stays
	if got := console([3]plan.Descriptor{d}); got.Path != "" || !d.Terminal {
		t.Errorf("got %+v", got)
	}
}

func BenchmarkHost(b *testing.B) {
	for b.Loop() {
		if _, err := Host(HostOptions{UID: 1000}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHostButHidden(b *testing.B) {
	var facts HostFacts
	for b.Loop() {
		if err := facts.look(HostOptions{UID: 1000}); err != nil {
			b.Fatal(err)
		}
	}
}
