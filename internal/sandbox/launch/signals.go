package launch

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// passed are the signals that the launcher catches. A signal that the caller
// ignores (nohup) stays ignored, here and in the command.
var passed = [...]syscall.Signal{
	unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2,
	unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU, unix.SIGCONT,
}

// Package os/signal needs three threads more, which is a seventh of a launch, and
// gives its signals to a goroutine, while the launcher has to wait for the jail's
// word as well. So the handler is our own: it writes the signal's number to a pipe,
// and the launcher polls that together with the status pipe, on one thread.

// caughtPipe is where the handler writes to. It is a variable of the package
// because a handler gets nothing else; a process has one set of handlers, so it
// runs one jail at a time.
//
//lint:ignore U1000 only the handler uses it, in assembly
var caughtPipe int32 = -1

// handler is implemented in assembly. It returns the address of the signal
// handler, and that of the code which a handler returns to where the kernel wants
// it from the program.
func handler() (address, returns uintptr)

// A sigaction is the kernel's struct of this name on the 64-bit architectures.
type sigaction struct {
	handler  uintptr
	flags    uint64
	restorer uintptr
	mask     uint64
}

// From linux/signal.h; x/sys has none of it.
const (
	sigIgn     = 1
	saOnStack  = 0x08000000
	saRestorer = 0x04000000
)

func setAction(sig syscall.Signal, act, old *sigaction) error {
	_, _, e := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig),
		uintptr(unsafe.Pointer(act)), uintptr(unsafe.Pointer(old)), unsafe.Sizeof(act.mask), 0, 0)
	if e != 0 {
		return fmt.Errorf("catch signal %d: %w", sig, e)
	}
	return nil
}

// catch lets the signals that are to be passed on come out of a pipe, whose read
// end it returns, until release.
func catch() (from int, release func(), err error) {
	var p [2]int
	// Not blocking: a handler that waited for its own thread to read would do so for ever.
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		return 0, nil, fmt.Errorf("make a pipe: %w", err)
	}
	caughtPipe = int32(p[1])
	address, returns := handler()
	// Go gives each thread a stack for signals; a goroutine's own is too small for one.
	ours := sigaction{handler: address, flags: saOnStack, mask: ^uint64(0)}
	if returns != 0 {
		ours.flags, ours.restorer = ours.flags|saRestorer, returns
	}
	var before [len(passed)]sigaction
	release = func() {
		for i, s := range passed {
			if before[i].handler != sigIgn {
				setAction(s, &before[i], nil)
			}
		}
		unix.Close(p[0])
		unix.Close(p[1])
	}
	for i, s := range passed {
		if err := setAction(s, nil, &before[i]); err != nil {
			return 0, nil, err
		}
		if before[i].handler != sigIgn {
			if err := setAction(s, &ours, nil); err != nil {
				return 0, nil, err
			}
		}
	}
	return p[0], release, nil
}

// passAll passes on the signals that were caught.
func (j *jail) passAll() {
	var b [64]byte
	n, _ := unix.Read(j.signals, b[:])
	for _, s := range b[:max(n, 0)] {
		j.pass(syscall.Signal(s))
	}
}

// pass sends a signal on to pid 1, which sends it to the command, unless the
// terminal gave it to the command already.
func (j *jail) pass(sig syscall.Signal) {
	switch sig {
	case unix.SIGTTIN, unix.SIGTTOU:
		// The terminal's word to a whole group. The launcher neither reads nor writes
		// one; where the command did, it stops, and says so.
		return
	case unix.SIGTSTP, unix.SIGCONT:
		// Who stops a job or continues it does so with its whole group. Passed on, each
		// would come late: the launcher may have been stopped before it got to this, and
		// the command would be stopped once more after bg, or continued after Ctrl-Z.
		if !j.own {
			return
		}
	case unix.SIGINT, unix.SIGQUIT:
		if !j.own && j.tty.foreground() {
			return
		}
	}
	unix.Kill(j.pid, sig)
}

// stopSelf stops the launcher because the command stopped: the shell that waits
// for the launcher must see a stopped job, and what stopped it ("suspended (tty
// input)", 128 and the signal in $?). It goes on with SIGCONT, as the command does:
// by its group, or because pass sends it on.
//
// A command of the launcher's own group stopped, so the kernel stops the launcher for
// the same reason. A group of its own may have a shell where the launcher's has none,
// and there the kernel drops all but SIGSTOP.
func (j *jail) stopSelf(sig syscall.Signal) {
	if j.own || sig == unix.SIGSTOP {
		unix.Kill(unix.Getpid(), unix.SIGSTOP)
		return
	}
	var before sigaction
	if setAction(sig, &sigaction{}, &before) != nil {
		return
	}
	// Sent to this thread it is there when Tgkill returns. Sent to the process it might
	// reach another thread only after the handler is back.
	runtime.LockOSThread()
	var mask unix.Sigset_t
	unix.PthreadSigmask(unix.SIG_SETMASK, &unix.Sigset_t{}, &mask)
	unix.Tgkill(unix.Getpid(), unix.Gettid(), sig)
	unix.PthreadSigmask(unix.SIG_SETMASK, &mask, nil)
	runtime.UnlockOSThread()
	setAction(sig, &before, nil)
}
