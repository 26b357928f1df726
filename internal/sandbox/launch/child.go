package launch

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The functions in this file run in a forked child without a Go runtime. They
// must not allocate, grow the stack, take a lock, or touch a map, an interface
// or a string; they make system calls and read what the launcher prepared.
//
// The three hooks are what package syscall itself calls around its own fork:
// they stop the runtime's signals and, in the child, reset every handler.

//go:linkname runtimeBeforeFork syscall.runtime_BeforeFork
func runtimeBeforeFork()

//go:linkname runtimeAfterFork syscall.runtime_AfterFork
func runtimeAfterFork()

//go:linkname runtimeAfterForkInChild syscall.runtime_AfterForkInChild
func runtimeAfterForkInChild()

// What the status pipe carries: always 16 bytes, so that one write is one message.
type message struct {
	kind  uint32
	value uint32 // an errno, a signal, or a wait status
	step  uint32 // of the program, or one of the numbers below
	_     uint32
}

const (
	msgFailed    = iota + 1 // a step was refused: value is the errno
	msgStopped              // the command stopped itself: value is the signal
	msgContinued            // and goes on
	msgExited               // the command ended: value is the wait status
	msgMade                 // the jail is ready, where somebody wants to know
)

// Steps that are not in the program, because they run after pid 1's fork.
const (
	stepFork = 1<<24 + iota
	stepGroup
	stepChdir
	stepExec
	stepListen
)

// changed is the errno of a comparison that found another file.
const changed = unix.ESTALE

// A child is everything that the forked child reads and writes. It lives on the
// heap, which a fork copies as it is.
type child struct {
	steps   []step
	regs    [nregs]uintptr
	sync    uintptr // read end; one byte when signals are passed on
	syncTop uintptr // write end, closed first: else the child would wait for itself
	status  uintptr // write end
	flags   uintptr // of clone
	last    uintptr // the highest descriptor that can be open; 0: close_range knows
	own     bool    // the command gets a process group of its own
	tell    bool    // say when the jail is ready
	letter  *letter // nil: nobody wants the home; see hand
	hand    uintptr
	home    uintptr
	ear     uintptr
	notes   *letter // nil: nobody listens; see Listener
	listen  *unix.SockFprog
	path    uintptr
	argv    uintptr
	envp    uintptr
	cwd     uintptr
	all     uint64 // every signal
	mask    uint64 // the signals that the caller had blocked
	msg     message
	info    siginfo
	wstatus uint32
	byte    byte
}

// anyErrno marks a step that may be refused.
const anyErrno = ^syscall.Errno(0)

// A siginfo is the head of struct siginfo on the 64-bit architectures.
type siginfo struct {
	signo, errno, code int32
	_                  int32
	pid                int32
	_                  [108]byte
}

// fork makes the child and returns its process number to the launcher. It does
// not return in the child.
//
//go:norace
//go:nosplit
func fork(c *child) (pid uintptr, err syscall.Errno) {
	pid, _, err = syscall.RawSyscall6(unix.SYS_CLONE, c.flags, 0, 0, 0, 0, 0)
	if err != 0 || pid != 0 {
		return
	}
	runtimeAfterForkInChild()
	enter(c)
	walk(c)
	handOver(c)
	handListener(c)
	await(c)
	serve(c)
	// Not reached: serve ends the process. Nothing here could go on as a launcher.
	syscall.RawSyscall(unix.SYS_EXIT_GROUP, 125, 0, 0)
	return
}

// enter ties the child to the launcher: should that die from now on, the kernel
// ends the child. Should it have died before, the pipe is at its end when await
// reads it, since nobody else holds its other side, and no command has run.
//
// Signals are blocked from here on. A process 1 drops what it does not handle,
// and a Ctrl-C while the jail is made is for the command: it waits, and serve
// passes it on.
//
//go:norace
//go:nosplit
func enter(c *child) {
	syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0, 0)
	syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&c.all)), uintptr(unsafe.Pointer(&c.mask)), 8, 0, 0)
	syscall.RawSyscall(unix.SYS_CLOSE, c.syncTop, 0, 0)
}

// await waits for the launcher's word to go on, or for its death.
//
//go:norace
//go:nosplit
func await(c *child) {
	n, _, _ := syscall.RawSyscall(unix.SYS_READ, c.sync, uintptr(unsafe.Pointer(&c.byte)), 1)
	if n != 1 {
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, 125, 0, 0)
	}
}

// walk makes the calls of the program, in order, and ends at the first refusal.
//
//go:norace
//go:nosplit
func walk(c *child) {
	for i := range c.steps {
		s := &c.steps[i]
		if s.stat != nil {
			if s.stat.Ino != s.id.Ino || device(s.stat) != s.id.Dev {
				fail(c, uintptr(i), changed)
			}
			continue
		}
		a := s.a
		for j, r := range s.from {
			if r != none {
				a[j] = c.regs[r]
			}
		}
		r, _, e := syscall.RawSyscall6(s.nr, a[0], a[1], a[2], a[3], a[4], a[5])
		if e != 0 && e != s.ok && s.ok != anyErrno {
			fail(c, uintptr(i), e)
		}
		if s.keep != none {
			c.regs[s.keep] = r
		}
		if s.out != nil {
			*s.out = int32(r)
		}
	}
}

// device packs what statx reports as stat(2) does: unix.Mkdev without a call.
//
//go:norace
//go:nosplit
func device(st *unix.Statx_t) uint64 {
	major, minor := uint64(st.Dev_major), uint64(st.Dev_minor)
	return major&0xfff<<8 | major&0xfffff000<<32 | minor&0xff | minor&0xffffff00<<12
}

// fail reports a refused step and ends the jail before a command ran.
//
//go:norace
//go:nosplit
func fail(c *child, step uintptr, e syscall.Errno) {
	c.msg.kind, c.msg.value, c.msg.step = msgFailed, uint32(e), uint32(step)
	send(c)
	syscall.RawSyscall(unix.SYS_EXIT_GROUP, 125, 0, 0)
}

//go:norace
//go:nosplit
func send(c *child) {
	syscall.RawSyscall(unix.SYS_WRITE, c.status, uintptr(unsafe.Pointer(&c.msg)), unsafe.Sizeof(c.msg))
}

// serve is pid 1: it starts the command, then reaps, passes signals on and tells
// the launcher what becomes of the command. When it ends, the kernel ends
// everything else in the jail.
//
//go:norace
//go:nosplit
func serve(c *child) {
	if c.tell {
		c.msg.kind = msgMade
		send(c)
	}
	pid, _, e := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if e != 0 {
		fail(c, stepFork, e)
	}
	if pid == 0 {
		execute(c)
	}
	// A signal to the caller's process group must reach the command once, not once
	// more through pid 1. What decides between a group and a session is when the
	// command's group counts as orphaned, see setpgid(2): not, while it is one of its
	// own, or it could not be stopped; but together with the launcher's, or a stopped
	// job whose shell is gone would stay for ever.
	if c.own {
		syscall.RawSyscall(unix.SYS_SETPGID, 0, 0, 0)
		// The command does this too; whoever comes second is refused or changes nothing.
		// Here so that a signal cannot come before the group is there.
		syscall.RawSyscall(unix.SYS_SETPGID, pid, pid, 0)
	} else {
		syscall.RawSyscall(unix.SYS_SETSID, 0, 0, 0)
	}
	// What pid 1 kept open would keep the caller's pipes open.
	closeAll(c)
	for {
		sig, _, e := syscall.RawSyscall6(unix.SYS_RT_SIGTIMEDWAIT, uintptr(unsafe.Pointer(&c.all)), uintptr(unsafe.Pointer(&c.info)), 0, 8, 0, 0)
		switch {
		case e != 0:
		case sig == uintptr(unix.SIGCHLD):
			reap(c, pid)
		case c.info.pid == 0:
			// From outside the jail, which has no number in here: the launcher, or, until
			// pid 1 left the caller's group, the terminal. A signal from inside is none of
			// pid 1's business.
			if sig == uintptr(timeIsUp) {
				endAll()
				continue
			}
			syscall.RawSyscall(unix.SYS_KILL, receiver(c, pid, sig), sig, 0)
		}
	}
}

// endAll asks everything in the jail but pid 1 to end, and wakes what is stopped so
// that it can.
//
//go:norace
//go:nosplit
func endAll() {
	syscall.RawSyscall(unix.SYS_KILL, ^uintptr(0), uintptr(unix.SIGTERM), 0)
	syscall.RawSyscall(unix.SYS_KILL, ^uintptr(0), uintptr(unix.SIGCONT), 0)
}

// receiver is whom a signal of the launcher's goes to: the command, or, where that
// has a group of its own, the group, if it is one that a terminal or a shell sends
// to a whole job. A shell that runs a program would not end before that does.
//
//go:norace
//go:nosplit
func receiver(c *child, command, sig uintptr) uintptr {
	if c.own {
		switch syscall.Signal(sig) {
		case unix.SIGINT, unix.SIGQUIT, unix.SIGTSTP, unix.SIGCONT, unix.SIGHUP:
			return -command
		}
	}
	return command
}

// closeAll closes everything above 2 but the status pipe.
//
//go:norace
//go:nosplit
func closeAll(c *child) {
	if c.last == 0 {
		syscall.RawSyscall(unix.SYS_CLOSE_RANGE, 3, c.status-1, 0)
		syscall.RawSyscall(unix.SYS_CLOSE_RANGE, c.status+1, uintptr(^uint32(0)), 0)
		return
	}
	for fd := uintptr(3); fd <= c.last; fd++ {
		if fd != c.status {
			syscall.RawSyscall(unix.SYS_CLOSE, fd, 0, 0)
		}
	}
}

// execute is the command until execve.
//
//go:norace
//go:nosplit
func execute(c *child) {
	if c.own {
		if _, _, e := syscall.RawSyscall(unix.SYS_SETPGID, 0, 0, 0); e != 0 {
			fail(c, stepGroup, e)
		}
	}
	if _, _, e := syscall.RawSyscall(unix.SYS_CHDIR, c.cwd, 0, 0); e != 0 {
		fail(c, stepChdir, e)
	}
	syscall.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_SETMASK, uintptr(unsafe.Pointer(&c.mask)), 0, 8, 0, 0)
	_, _, e := syscall.RawSyscall(unix.SYS_EXECVE, c.path, c.argv, c.envp)
	fail(c, stepExec, e)
}

// reap collects every child that changed and reports what concerns the command.
//
//go:norace
//go:nosplit
func reap(c *child, command uintptr) {
	const options = unix.WNOHANG | unix.WUNTRACED | unix.WCONTINUED
	for {
		pid, _, e := syscall.RawSyscall6(unix.SYS_WAIT4, ^uintptr(0), uintptr(unsafe.Pointer(&c.wstatus)), options, 0, 0, 0)
		if e != 0 || pid == 0 {
			return
		}
		if pid != command {
			continue
		}
		switch {
		case c.wstatus&0xff == 0x7f:
			c.msg.kind, c.msg.value = msgStopped, c.wstatus>>8&0xff
		case c.wstatus == 0xffff:
			c.msg.kind, c.msg.value = msgContinued, 0
		default:
			c.msg.kind, c.msg.value = msgExited, c.wstatus
			send(c)
			syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		send(c)
	}
}
