package detect

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// inherited are descriptors as a caller hands them over: open across exec.
type inherited struct{ read, write, socket, file, dir, device, terminal, own int }

func newInherited(t *testing.T) inherited {
	var pipe, pair [2]int
	must(t, unix.Pipe2(pipe[:], 0))
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	must(t, err)
	open := func(path string, flags int) int {
		fd, err := unix.Open(path, flags, 0)
		must(t, err)
		return fd
	}
	ptmx, tty, err := pty.Open()
	must(t, err)
	terminal, err := unix.Dup(int(tty.Fd()))
	must(t, err)
	tr := newScene(t)
	in := inherited{
		read: pipe[0], write: pipe[1], socket: pair[0], terminal: terminal,
		file: open(tr.file("f", 0o644), unix.O_RDWR), dir: open(tr.root, unix.O_RDONLY),
		device: open("/dev/zero", unix.O_RDONLY), own: open(tr.path("f"), unix.O_RDONLY|unix.O_CLOEXEC),
	}
	t.Cleanup(func() {
		ptmx.Close()
		tty.Close()
		for _, fd := range []int{in.read, in.write, pair[0], pair[1], in.terminal, in.file, in.dir, in.device, in.own} {
			unix.Close(fd)
		}
	})
	return in
}

func kept(in Inherited) (fds []int) {
	for _, d := range in.Keep {
		fds = append(fds, d.FD)
	}
	return fds
}

func TestArgDescriptor(t *testing.T) {
	for _, tt := range []struct {
		arg  string
		want int
	}{
		{"/dev/fd/63", 63}, {"/proc/self/fd/3", 3}, {"--config=/dev/fd/12", 12}, {"x=/proc/self/fd/9", 9},
		{"/dev/fd/2", -1}, {"/dev/fd/0", -1}, {"/dev/fd/", -1}, {"/dev/fd/-5", -1}, {"/dev/fd/+5", -1},
		{"/dev/fd/05", -1}, {"/dev/fd/5x", -1}, {"/dev/fd/5/x", -1}, {"/dev/fd//5", -1}, {"/dev/fd/99999999999", -1},
		{"/dev/fdx/5", -1}, {"dev/fd/5", -1}, {"x/dev/fd/5", -1}, {"@/dev/fd/5", -1}, {"--a=--b=/dev/fd/5", -1},
		{"/proc/1/fd/5", -1}, {"", -1}, {"=", -1}, {"5", -1},
	} {
		got, ok := argDescriptor(tt.arg)
		if ok != (tt.want >= 0) || ok && got != tt.want {
			t.Errorf("%q: got %d, %t", tt.arg, got, ok)
		}
	}
}

func TestKeepByArgument(t *testing.T) {
	fds := newInherited(t)
	arg := func(fd int) string { return fmt.Sprintf("/dev/fd/%d", fd) }
	args := []string{
		arg(fds.socket), arg(fds.dir), arg(fds.device), arg(fds.terminal), arg(fds.own), arg(99999),
		"--in=" + arg(fds.read), arg(fds.file), arg(fds.read), arg(1),
	}
	in := Descriptors(args, "", "")
	want := []int{fds.read, fds.socket, fds.file}
	slices.Sort(want)
	if got := kept(in); !slices.Equal(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
	for _, d := range in.Keep {
		if d.Why == "" || d.Closed || d.Terminal || d.ReadOnly != (d.FD == fds.read) {
			t.Errorf("%+v", d)
		}
	}
}

func TestKeepJobserver(t *testing.T) {
	fds := newInherited(t)
	both := []int{min(fds.read, fds.write), max(fds.read, fds.write)}
	pair := func(r, w int) string { return fmt.Sprintf("%d,%d", r, w) }
	good := pair(fds.read, fds.write)
	for _, tt := range []struct {
		flags string
		want  []int
	}{
		{"", nil},
		{"-j4 --jobserver-auth=" + good, both},
		{" -j --jobserver-fds=" + good + " -w", both},
		{"--jobserver-auth=" + pair(fds.socket, fds.write) + " --jobserver-auth=" + good, both},
		{"--jobserver-auth=" + good + " --jobserver-auth=-2,-2", nil},
		{"-- --jobserver-auth=" + good, nil},
		{"-j -- X=1 --jobserver-auth=" + good, nil},
		{"--jobserver-auth=" + pair(fds.read, fds.file), nil},
		{"--jobserver-auth=" + pair(fds.dir, fds.write), nil},
		{"--jobserver-auth=" + pair(fds.read, 1), nil},
		{"--jobserver-auth=" + fmt.Sprint(fds.read), nil},
		{"--jobserver-auth=" + good + ",7", nil},
		{"--jobserver-auth", nil},
		{"X--jobserver-auth=" + good, nil},
	} {
		if got := kept(Descriptors(nil, tt.flags, "")); !slices.Equal(got, tt.want) {
			t.Errorf("%q: kept %v, want %v", tt.flags, got, tt.want)
		}
	}
}

func TestKeepNamedJobserver(t *testing.T) {
	tr := newScene(t)
	fifo := func(name string) string {
		must(t, unix.Mkfifo(tr.path(name), 0o600))
		return tr.path(name)
	}
	good := fifo("GMfifo4711")
	tr.link(".", "linked")
	for _, tt := range []struct {
		path string
		ok   bool
	}{
		{good, true},
		{fifo("GMfifo"), false},
		{fifo("GMfifo12x"), false},
		{fifo("control"), false},
		{tr.file("GMfifo1", 0o600), false},
		{tr.dir("GMfifo2"), false},
		{tr.link(good, "GMfifo3"), false},
		{tr.path("GMfifo4"), false},
		{tr.path("linked/GMfifo4711"), false},
		{tr.root + "/x/../GMfifo4711", false},
		{tr.root + "//GMfifo4711", false},
		{"GMfifo4711", false},
		{"", false},
	} {
		in := Descriptors(nil, "-j2 --jobserver-auth=fifo:"+tt.path, "")
		if got := in.Jobserver.Path == tt.path && in.Jobserver.Type == plan.FIFO; got != tt.ok || len(in.Keep) != 0 {
			t.Errorf("%q: %+v", tt.path, in)
		}
	}
	if os.Geteuid() == 0 {
		must(t, os.Chown(good, 12345, 0))
		if in := Descriptors(nil, "--jobserver-auth=fifo:"+good, ""); in.Jobserver.Path != "" {
			t.Errorf("another user's: %+v", in)
		}
	}
}

func TestKeepNodeChannel(t *testing.T) {
	fds := newInherited(t)
	for _, tt := range []struct {
		fd   int
		want []int
	}{{fds.socket, []int{fds.socket}}, {fds.read, nil}, {fds.file, nil}, {fds.dir, nil}, {2, nil}, {-1, nil}} {
		if got := kept(Descriptors(nil, "", fmt.Sprint(tt.fd))); !slices.Equal(got, tt.want) {
			t.Errorf("%d: kept %v, want %v", tt.fd, got, tt.want)
		}
	}
	if got := kept(Descriptors([]string{fmt.Sprintf("/dev/fd/%d", fds.socket)}, "", fmt.Sprint(fds.socket))); len(got) != 1 {
		t.Errorf("named twice: kept %v", got)
	}
}

func TestStdio(t *testing.T) {
	fds := newInherited(t)
	for _, tt := range []struct {
		fd   int
		want plan.Descriptor
	}{
		{fds.read, plan.Descriptor{Type: plan.FIFO, ReadOnly: true}},
		{fds.write, plan.Descriptor{Type: plan.FIFO, WriteOnly: true}},
		{fds.socket, plan.Descriptor{Type: plan.Socket}},
		{fds.file, plan.Descriptor{Type: plan.Regular}},
		{fds.dir, plan.Descriptor{Type: plan.Directory, ReadOnly: true}},
		{fds.device, plan.Descriptor{Type: plan.CharDevice, ReadOnly: true}},
		{fds.terminal, plan.Descriptor{Type: plan.CharDevice, Terminal: true}},
		{99999, plan.Descriptor{Closed: true}},
	} {
		tt.want.FD = tt.fd
		if got := stdio(tt.fd); got != tt.want {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
	}
	in := Descriptors(nil, "", "")
	for fd, d := range in.Stdio {
		if d != stdio(fd) {
			t.Errorf("descriptor %d: %+v", fd, d)
		}
	}
}
