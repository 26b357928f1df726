package main

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func typeText(args []string) (string, error)     { return "", fakeInput(args[0], unix.TIOCSTI) }
func typeTextHigh(args []string) (string, error) { return "", fakeInput(args[0], unix.TIOCSTI|1<<32) }

// fakeInput puts text into the terminal's input queue, where the shell will read
// it as if it had been typed.
func fakeInput(text string, request uintptr) error {
	for _, c := range []byte(text + "\n") {
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, 0, request, uintptr(unsafe.Pointer(&c))); errno != 0 {
			return errno
		}
	}
	return nil
}

// tiocLinux is not in x/sys/unix; its sub-command 3 pastes.
const tiocLinux = 0x541C

func pasteSelection([]string) (string, error) {
	subcode := byte(3)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, 0, tiocLinux, uintptr(unsafe.Pointer(&subcode))); errno != 0 {
		return "", errno
	}
	return "", nil
}

// rawThenKill leaves a terminal as a crashed editor does.
func rawThenKill([]string) (string, error) {
	t, err := unix.IoctlGetTermios(0, unix.TCGETS)
	if err != nil {
		return "", err
	}
	t.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Iflag &^= unix.ICRNL | unix.IXON
	t.Oflag &^= unix.OPOST
	if err := unix.IoctlSetTermios(0, unix.TCSETS, t); err != nil {
		return "", err
	}
	return "", killSelf()
}

func killSelf() error {
	if err := unix.Kill(os.Getpid(), unix.SIGKILL); err != nil {
		return err
	}
	time.Sleep(time.Second)
	return refusal("still there")
}

// hushThenKill leaves a terminal to which nobody can write any more. If it can still be
// written, it goes on and says so.
func hushThenKill([]string) (string, error) {
	if err := unix.IoctlSetInt(0, unix.TCXONC, unix.TCOOFF); err != nil {
		return "", err
	}
	fds := []unix.PollFd{{Fd: 1, Events: unix.POLLOUT}}
	if n, err := unix.Poll(fds, 100); err != nil || n > 0 {
		return "", refusal("the output goes on")
	}
	return "", killSelf()
}

// From linux/tty.h: the discipline of terminals, and one that throws all away.
const (
	disciplineTTY  = 0
	disciplineNull = 27
)

func discipline([]string) (string, error) {
	for _, n := range [...]int{disciplineNull, disciplineTTY} {
		if err := unix.IoctlSetPointerInt(0, unix.TIOCSETD, n); err != nil {
			return "", err
		}
	}
	return "", nil
}
