package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// plantMemory leaves a word in shared memory of System V's kind and prints its
// number. It stays after this process has ended.
func plantMemory(args []string) (string, error) {
	word, err := os.ReadFile(args[0])
	if err != nil {
		return "", err
	}
	id, err := unix.SysvShmGet(0, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		return "", err
	}
	b, err := unix.SysvShmAttach(id, 0, 0)
	if err != nil {
		return "", err
	}
	copy(b, word)
	return strconv.Itoa(id), unix.SysvShmDetach(b)
}

func readMemory(args []string) (string, error) {
	id, err := strconv.Atoi(args[0])
	if err != nil {
		return "", err
	}
	b, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
	if err != nil {
		return "", err
	}
	defer unix.SysvShmDetach(b)
	text, _, _ := strings.Cut(string(b), "\x00")
	return text, nil
}

// steal reads through descriptor 0 of a process, which it takes from it.
func steal(args []string) (string, error) {
	fd, err := firstDescriptor(args[0])
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	b := make([]byte, 256)
	n, err := unix.Pread(fd, b, 0)
	return string(b[:max(n, 0)]), err
}

// poke writes a byte of a process's memory back to where it was.
func poke(args []string) (string, error) {
	dir := filepath.Join("/proc", args[0])
	maps, err := os.ReadFile(filepath.Join(dir, "maps"))
	if err != nil {
		return "", err
	}
	mem, err := os.OpenFile(filepath.Join(dir, "mem"), os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer mem.Close()
	for line := range strings.Lines(string(maps)) {
		from, _, ok := addresses(line)
		if !ok || !strings.Contains(line, " rw") {
			continue
		}
		b := make([]byte, 1)
		if _, err := mem.ReadAt(b, from); err != nil {
			continue
		}
		if _, err := mem.WriteAt(b, from); err == nil {
			return "", nil
		}
	}
	return "", refusal("nothing writable")
}

// watch runs a terminal of its own and writes what appears on it to a file.
func watch(args []string) (string, error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return "", err
	}
	defer master.Close()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		return "", err
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return "", err
	}
	name := fmt.Sprintf("/dev/pts/%d", n)
	slave, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return "", err
	}
	defer slave.Close()
	if err := replace(args[1], name+"\n"); err != nil {
		return "", err
	}
	time.AfterFunc(lifetime, func() { os.Exit(1) })
	b := make([]byte, 256)
	for {
		n, err := master.Read(b)
		if err != nil {
			return "", nil
		}
		appendLine(args[0], string(b[:n]))
	}
}

// pending prints what is waiting in the input of the terminal on descriptor 0.
func pending([]string) (string, error) {
	t, err := unix.IoctlGetTermios(0, unix.TCGETS)
	if err != nil {
		return "", err
	}
	t.Lflag &^= unix.ICANON | unix.ECHO
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 0, 1
	if err := unix.IoctlSetTermios(0, unix.TCSETS, t); err != nil {
		return "", err
	}
	b := make([]byte, 256)
	n, err := unix.Read(0, b)
	return string(b[:max(n, 0)]), err
}

// cooked reports whether the terminal echoes and reads by lines.
func cooked([]string) (string, error) {
	t, err := unix.IoctlGetTermios(0, unix.TCGETS)
	if err != nil {
		return "", err
	}
	const want = unix.ECHO | unix.ICANON | unix.ISIG
	if t.Lflag&want != want {
		return "", refusal("raw")
	}
	return "", nil
}

// running looks for a process with a word among its arguments.
func running(args []string) (string, error) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		if filepath.Base(dir) == strconv.Itoa(os.Getpid()) {
			continue
		}
		b, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		for arg := range strings.SplitSeq(string(b), "\x00") {
			if arg == args[0] {
				return filepath.Base(dir), nil
			}
		}
	}
	return "", refusal("no process")
}

// state prints the state of a process: R, S, T ...
func state(args []string) (string, error) {
	b, err := os.ReadFile(filepath.Join("/proc", args[0], "stat"))
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return rest[:1], nil
}
