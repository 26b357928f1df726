package main

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The statuses of the launcher's own, as env(1) and timeout(1) have them.
const (
	statusTimedOut      = 124
	statusFailed        = 125 // the jail failed or refused
	statusNotExecutable = 126
	statusNotFound      = 127
)

// endBySignal ends this process by sig, so that the shell that waits for it sees
// what happened to the command: a loop must stop at Ctrl-C. It returns only
// where the signal does not end a process.
func endBySignal(sig syscall.Signal) {
	// A core of the launcher would hold the caller's environment.
	unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	// By raw call: Go's runtime would turn a SEGV that was sent into exit status 2.
	var act struct{ handler, flags, restorer, mask uint64 }
	unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&act)), 0, 8, 0, 0)
	set := uint64(1) << (sig - 1)
	unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, unix.SIG_UNBLOCK, uintptr(unsafe.Pointer(&set)), 0, 8, 0, 0)
	unix.Kill(unix.Getpid(), sig)
	// The kernel may give the signal to another thread; wait for it.
	unix.Nanosleep(&unix.Timespec{Sec: 1}, nil)
}
