package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// search looks for needle in all that /proc shows of all processes but this one,
// whose arguments hold it.
func search(args []string) (string, error) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return "", err
	}
	var found []string
	for _, dir := range dirs {
		pid := filepath.Base(dir)
		if pid == strconv.Itoa(os.Getpid()) {
			continue
		}
		for _, name := range []string{"environ", "cmdline", "auxv", "maps", "mountinfo"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err == nil && bytes.Contains(b, []byte(args[0])) {
				found = append(found, pid+"/"+name)
			}
		}
		if _, err := memory([]string{pid, args[0]}); err == nil {
			found = append(found, pid+"/mem")
		}
	}
	if found == nil {
		return "", refusal("not found")
	}
	return strings.Join(found, " "), nil
}

// memory reads every part of a process's memory that can be read.
func memory(args []string) (string, error) {
	dir := filepath.Join("/proc", args[0])
	maps, err := os.ReadFile(filepath.Join(dir, "maps"))
	if err != nil {
		return "", err
	}
	mem, err := os.Open(filepath.Join(dir, "mem"))
	if err != nil {
		return "", err
	}
	defer mem.Close()
	const most = 64 << 20 // of one mapping: Go reserves far more than it uses
	for line := range strings.Lines(string(maps)) {
		from, to, ok := addresses(line)
		if !ok || strings.Contains(line, "[vvar") {
			continue
		}
		b, _ := io.ReadAll(io.NewSectionReader(mem, from, min(to-from, most)))
		if i := bytes.Index(b, []byte(args[1])); i >= 0 {
			return fmt.Sprintf("at %#x", from+int64(i)), nil
		}
	}
	return "", refusal("not found")
}

func addresses(line string) (from, to int64, ok bool) {
	span, rest, _ := strings.Cut(line, " ")
	a, b, _ := strings.Cut(span, "-")
	from, err1 := strconv.ParseInt(a, 16, 64)
	to, err2 := strconv.ParseInt(b, 16, 64)
	return from, to, err1 == nil && err2 == nil && rest != "" && rest[0] == 'r'
}

// attach attaches as ptrace(2) wants it, from one thread, and lets go again.
func attach(args []string) (string, error) {
	pid, err := strconv.Atoi(args[0])
	if err != nil {
		return "", err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.PtraceAttach(pid); err != nil {
		return "", err
	}
	defer unix.PtraceDetach(pid)
	_, err = unix.Wait4(pid, nil, unix.WALL, nil)
	return "", err
}

// attachChild attaches to a process that nobody could have a reason to protect.
func attachChild([]string) (string, error) {
	child := exec.Command("/proc/self/exe", "hold", "child", "/dev/null")
	if err := child.Start(); err != nil {
		return "", err
	}
	defer child.Wait()
	defer child.Process.Kill()
	return attach([]string{strconv.Itoa(child.Process.Pid)})
}

func peek(args []string) (string, error) {
	pid, err := strconv.Atoi(args[0])
	if err != nil {
		return "", err
	}
	b := make([]byte, 8)
	local := []unix.Iovec{{Base: &b[0]}}
	local[0].SetLen(len(b))
	start, err := programStart(args[0])
	if err != nil {
		return "", err
	}
	_, err = unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: start, Len: len(b)}}, 0)
	return "", err
}

// programStart is where some readable memory of a process is; the arguments of
// one that hides its map are guessed, since the kernel checks permissions first.
func programStart(pid string) (uintptr, error) {
	b, err := os.ReadFile(filepath.Join("/proc", pid, "maps"))
	if err != nil {
		return 0x400000, nil
	}
	for line := range strings.Lines(string(b)) {
		if from, _, ok := addresses(line); ok {
			return uintptr(from), nil
		}
	}
	return 0, refusal("no memory")
}

// firstDescriptor takes descriptor 0 of a process.
func firstDescriptor(pid string) (int, error) {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return -1, err
	}
	p, err := unix.PidfdOpen(n, 0)
	if err != nil {
		return -1, fmt.Errorf("pidfd_open: %w", err)
	}
	defer unix.Close(p)
	return unix.PidfdGetfd(p, 0, 0)
}

func takeDescriptor(args []string) (string, error) {
	fd, err := firstDescriptor(args[0])
	if err != nil {
		return "", err
	}
	return "", unix.Close(fd)
}

func sendSignal(args []string) (string, error) {
	pid, err := strconv.Atoi(args[0])
	if err != nil {
		return "", err
	}
	sig, err := strconv.Atoi(args[1])
	if err != nil {
		return "", err
	}
	return "", unix.Kill(pid, syscall.Signal(sig))
}
