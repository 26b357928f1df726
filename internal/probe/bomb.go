package main

import (
	"fmt"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// bomb has so many threads at once, which count like processes and cost less, and
// says how many there were when one was refused. They end with this process.
func bomb(args []string) (string, error) {
	want, err := strconv.Atoi(args[0])
	if err != nil {
		return "", err
	}
	runtime.LockOSThread()
	const flags = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD | unix.CLONE_SYSVSEM
	for got := range want {
		if n := idleThread(flags); n < 0 {
			return "", fmt.Errorf("after %d: %w", got, syscall.Errno(-n))
		}
	}
	return strconv.Itoa(want), nil
}
