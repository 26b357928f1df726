package main

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// restoreDefault gives a signal its default action behind the back of Go's
// runtime, and makes sure that it is not blocked.
func restoreDefault(sig syscall.Signal) {
	var act struct{ handler, flags, restorer, mask uint64 }
	unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(&act)), 0, 8, 0, 0)
	setMask(unix.SIG_UNBLOCK, uint64(1)<<(sig-1))
}

func setMask(how int, set uint64) {
	unix.RawSyscall6(unix.SYS_RT_SIGPROCMASK, uintptr(how), uintptr(unsafe.Pointer(&set)), 0, 8, 0, 0)
}

// withBlocked runs a command with signals blocked: the mask of a thread is what
// execve passes on.
func withBlocked(args []string) (string, error) {
	runtime.LockOSThread()
	var set uint64
	for _, text := range strings.Split(args[0], ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return "", err
		}
		set |= 1 << (n - 1)
	}
	setMask(unix.SIG_BLOCK, set)
	return "", execute(args[1:])
}

// execute becomes another program.
func execute(args []string) error {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	return unix.Exec(path, args, os.Environ())
}
