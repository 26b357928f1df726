package confine

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"jail/internal/needed"

	"golang.org/x/sys/unix"
)

func raw(nr uintptr, args ...uintptr) unix.Errno {
	var a [6]uintptr
	copy(a[:], args)
	_, _, e := unix.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5])
	return e
}

// systemCallProbes are made so that none does harm where it succeeds, and that where
// a call is allowed it fails in another way than the filter does.
var systemCallProbes = []probe{
	{"TIOCSTI", func(string) unix.Errno { return onNull(unix.TIOCSTI) }},
	{"TIOCSTI with rubbish above", func(string) unix.Errno { return onNull(unix.TIOCSTI | 1<<32) }},
	{"TIOCLINUX", func(string) unix.Errno { return onNull(0x541C) }},
	{"TIOCSETD", func(string) unix.Errno { return onNull(0x5423) }},
	{"TCGETS", func(string) unix.Errno { return onNull(unix.TCGETS) }},
	{"unshare", func(string) unix.Errno { return raw(unix.SYS_UNSHARE, unix.CLONE_NEWUSER) }},
	{"clone new user", func(string) unix.Errno { return raw(unix.SYS_CLONE, unix.CLONE_NEWUSER|unix.CLONE_FS) }},
	{"clone3", func(string) unix.Errno { return raw(unix.SYS_CLONE3) }},
	{"setns", func(string) unix.Errno { return raw(unix.SYS_SETNS, ^uintptr(0), 0) }},
	{"ptrace", func(string) unix.Errno { return raw(unix.SYS_PTRACE, unix.PTRACE_DETACH, 0, 0, 0) }},
	{"process_vm_readv", func(string) unix.Errno { return raw(unix.SYS_PROCESS_VM_READV, 1, 0, 0, 0, 0, 1) }},
	{"pidfd_getfd", func(string) unix.Errno { return raw(unix.SYS_PIDFD_GETFD, ^uintptr(0), 0, 0) }},
	{"keyctl", func(string) unix.Errno { return raw(unix.SYS_KEYCTL, 9999) }},
	{"io_uring_setup", func(string) unix.Errno { return raw(unix.SYS_IO_URING_SETUP, 0, 0) }},
	{"personality", func(string) unix.Errno { return raw(unix.SYS_PERSONALITY, 0x40000) }},
	{"personality asked", func(string) unix.Errno { return raw(unix.SYS_PERSONALITY, 0xFFFFFFFF) }},
	{"name_to_handle_at", func(string) unix.Errno { return raw(unix.SYS_NAME_TO_HANDLE_AT, 0, 0, 0, 0, 1<<30) }},
	{"kernel events", func(string) unix.Errno { return closing(unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, 15)) }},
	{"routes", func(string) unix.Errno {
		return closing(unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE))
	}},
	{"group's priority", func(string) unix.Errno { return samePriority(unix.PRIO_PGRP) }},
	{"own priority", func(string) unix.Errno { return samePriority(unix.PRIO_PROCESS) }},
	{"kill 0", func(string) unix.Errno { return raw(unix.SYS_KILL, 0, 0) }},
	{"kill oneself", func(string) unix.Errno { return raw(unix.SYS_KILL, uintptr(os.Getpid()), 0) }},
	{"chmod u+s", func(dir string) unix.Errno { return toErrno(unix.Chmod(dir, 0o4700)) }},
	{"chmod", func(dir string) unix.Errno { return toErrno(unix.Chmod(dir, 0o700)) }},
	{"create set-id", func(dir string) unix.Errno { return closing(unix.Open(dir+"/s", unix.O_CREAT|unix.O_RDWR, 0o4755)) }},
	{"create", func(dir string) unix.Errno { return closing(unix.Open(dir+"/f", unix.O_CREAT|unix.O_RDWR, 0o755)) }},
	{"openat2", func(dir string) unix.Errno {
		return closing(unix.Openat2(unix.AT_FDCWD, dir, &unix.OpenHow{Flags: unix.O_PATH}))
	}},
	{"whiteout", func(dir string) unix.Errno { return toErrno(unix.Mknod(dir+"/w", unix.S_IFCHR|0o600, 0)) }},
	{"fifo", func(dir string) unix.Errno { return toErrno(unix.Mkfifo(dir+"/p", 0o600)) }},
	{"clock read", func(string) unix.Errno { _, err := unix.Adjtimex(&unix.Timex{}); return toErrno(err) }},
	{"seccomp", func(string) unix.Errno { return raw(unix.SYS_SECCOMP, 99, 0, 0) }},
	{"landlock", func(string) unix.Errno { return ignoring(unix.ENOSYS, raw(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, 1)) }},
}

func onNull(request uintptr) unix.Errno {
	fd, err := unix.Open("/dev/null", unix.O_RDWR, 0)
	if err != nil {
		return toErrno(err)
	}
	defer unix.Close(fd)
	buffer := make([]byte, 256)
	_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(&buffer[0])))
	return e
}

func closing(fd int, err error) unix.Errno {
	if err == nil {
		unix.Close(fd)
	}
	return toErrno(err)
}

func toErrno(err error) unix.Errno {
	e, _ := err.(unix.Errno)
	return e
}

// ignoring is for what a kernel may lack.
func ignoring(missing, e unix.Errno) unix.Errno {
	if e == missing || e == unix.EOPNOTSUPP {
		return 0
	}
	return e
}

// samePriority sets the priority to what it is.
func samePriority(which int) unix.Errno {
	old, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		return toErrno(err)
	}
	return toErrno(unix.Setpriority(which, 0, 20-old)) // the raw call returns 20 minus it
}

// refusedBySeccomp are the probes that the filter must stop; all others must end as
// they do without it.
var refusedBySeccomp = map[string]unix.Errno{
	"TIOCSTI": unix.EPERM, "TIOCSTI with rubbish above": unix.EPERM, "TIOCLINUX": unix.EPERM, "TIOCSETD": unix.EPERM,
	"unshare": unix.EPERM, "clone new user": unix.EPERM, "clone3": unix.ENOSYS, "setns": unix.EPERM,
	"ptrace": unix.EPERM, "process_vm_readv": unix.EPERM, "pidfd_getfd": unix.EPERM, "keyctl": unix.EPERM,
	"io_uring_setup": unix.ENOSYS, "personality": unix.EPERM, "name_to_handle_at": unix.EPERM,
	"kernel events": unix.EAFNOSUPPORT, "group's priority": unix.EPERM, "kill 0": unix.EPERM,
	"openat2": unix.ENOSYS, "chmod u+s": unix.EPERM, "create set-id": unix.EPERM, "whiteout": unix.EPERM,
}

// TestLiveFilter runs the probes free and under the filter.
func TestLiveFilter(t *testing.T) {
	free := results(t, "probe", t.TempDir())
	under := results(t, "filter", "probe", t.TempDir())
	for _, p := range systemCallProbes {
		want, refused := refusedBySeccomp[p.name]
		switch {
		case !refused:
			if under[p.name] != free[p.name] || free[p.name] == unix.EPERM {
				t.Errorf("%s: %v free, %v under the filter", p.name, free[p.name], under[p.name])
			}
		case under[p.name] != want:
			t.Errorf("%s: %v under the filter, want %v", p.name, under[p.name], want)
		case free[p.name] == unix.ENOSYS:
			t.Logf("%s: this kernel has no such call", p.name)
		case free[p.name] == want:
			t.Errorf("%s: %v without the filter too, so this shows nothing", p.name, want)
		}
	}
}

// TestLiveNamespaces shows that the filter for a browser leaves namespaces to the
// kernel.
func TestLiveNamespaces(t *testing.T) {
	free := results(t, "probe", t.TempDir())
	under := results(t, "filter with namespaces", "probe", t.TempDir())
	for _, name := range []string{"unshare", "clone new user", "clone3", "setns"} {
		if under[name] != free[name] {
			t.Errorf("%s: %v free, %v with namespaces allowed", name, free[name], under[name])
		}
	}
	if under["TIOCSTI"] != unix.EPERM {
		t.Errorf("TIOCSTI: %v", under["TIOCSTI"])
	}
}

// honest are things that ordinary programs do.
var honest = []probe{
	{"threads and files", func(dir string) unix.Errno { return manyThreads(dir) }},
	{"fork and exec", func(string) unix.Errno { return run("/bin/true") }},
	{"pipes", func(string) unix.Errno { return run("/bin/sh", "-c", "echo a | cat | grep -q a") }},
	{"pipe between processes", func(string) unix.Errno {
		_, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		return toErrno(err)
	}},
	{"local server", localServer},
	{"web server", func(string) unix.Errno { return listenAndDial("tcp", "127.0.0.1:0") }},
	{"interfaces", func(string) unix.Errno { _, err := net.Interfaces(); return asErrno(err) }},
	{"memfd", func(string) unix.Errno { return closing(unix.MemfdCreate("m", unix.MFD_CLOEXEC)) }},
	{"inotify", func(string) unix.Errno { return closing(unix.InotifyInit1(unix.IN_CLOEXEC)) }},
	{"epoll", func(string) unix.Errno { return closing(unix.EpollCreate1(0)) }},
	{"executable memory", func(string) unix.Errno {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
		return toErrno(err)
	}},
	{"exchange", func(dir string) unix.Errno {
		return toErrno(unix.Renameat2(unix.AT_FDCWD, dir+"/0", unix.AT_FDCWD, dir+"/1", unix.RENAME_EXCHANGE))
	}},
	{"watch a process", func(string) unix.Errno { return closing(unix.PidfdOpen(os.Getpid(), 0)) }},
	{"memory policy", func(string) unix.Errno { return ignoring(unix.ENOSYS, raw(unix.SYS_SET_MEMPOLICY, 0, 0, 0)) }},
}

func manyThreads(dir string) unix.Errno {
	var all sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		all.Go(func() {
			runtime.LockOSThread() // and so a new thread for the next
			errs[i] = os.WriteFile(filepath.Join(dir, string(rune('0'+i))), []byte("x"), 0o644)
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return asErrno(err)
		}
	}
	return 0
}

func run(argv ...string) unix.Errno { return asErrno(exec.Command(argv[0], argv[1:]...).Run()) }

// asErrno returns 0 for no error, and something else for any.
func asErrno(err error) unix.Errno {
	if err == nil {
		return 0
	}
	return unix.EIO
}

func localServer(dir string) unix.Errno { return listenAndDial("unix", filepath.Join(dir, "sock")) }

func listenAndDial(network, address string) unix.Errno {
	l, err := net.Listen(network, address)
	if err != nil {
		return asErrno(err)
	}
	defer l.Close()
	c, err := net.Dial(network, l.Addr().String())
	if err != nil {
		return asErrno(err)
	}
	return asErrno(c.Close())
}

func TestLiveHonestWork(t *testing.T) {
	under := results(t, "filter", "probe honest work", t.TempDir())
	for _, p := range honest {
		if e, tried := under[p.name]; e != 0 || !tried {
			t.Errorf("%s: %v, tried: %v", p.name, e, tried)
		}
	}
}

// TestLivePython shows that threads of the C library, which asks for clone3 first, and
// everything behind multiprocessing work.
func TestLivePython(t *testing.T) {
	python := needed.Program(t, "python3")
	script := `
import threading, subprocess, multiprocessing, tempfile, socket, asyncio
seen = []
t = threading.Thread(target=lambda: seen.append(1)); t.start(); t.join()
assert subprocess.run(["/bin/echo", "ok"], capture_output=True).stdout == b"ok\n"
with multiprocessing.get_context("fork").Pool(2) as p: assert p.map(abs, [-1, -2]) == [1, 2]
asyncio.run(asyncio.sleep(0))
socket.socketpair()
print("fine", seen)
`
	if out := string(runStep(t, "filter", python, "-c", script)); out != "fine [1]\n" {
		t.Errorf("python printed %q", out)
	}
}

// TestLiveGateOfI386 enters the kernel by int 0x80 from a process for amd64: number 20
// is getpid there and writev here.
func TestLiveGateOfI386(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 has the gate of i386")
	}
	python := needed.Program(t, "python3")
	script := `
import ctypes, mmap, os
m = mmap.mmap(-1, 4096, prot=mmap.PROT_READ|mmap.PROT_WRITE|mmap.PROT_EXEC)
m.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3") # mov eax, 20; int 0x80; ret
f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))
r = f()
print("answered" if r == os.getpid() else r)
`
	cmd := exec.Command(python, "-c", script)
	if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != "answered" {
		t.Skipf("this kernel has no gate of i386: %q, %v", out, err)
	}
	if out := strings.TrimSpace(string(runStep(t, "filter", python, "-c", script))); out != "-38" {
		t.Errorf("getpid of i386 answered %q under the filter, want -38 (ENOSYS)", out)
	}
}
