package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// argv prints what execve passed, byte for byte.
func argv(args []string) (string, error) {
	for _, a := range args {
		fmt.Printf("arg %s\n", hex.EncodeToString([]byte(a)))
	}
	return strconv.Itoa(len(args)), nil
}

func environment([]string) (string, error) {
	for _, e := range os.Environ() {
		fmt.Println(strconv.Quote(e))
	}
	return "", nil
}

// descriptors asks for each number, since a directory of /proc may be hidden.
func descriptors([]string) (string, error) {
	var open []string
	for fd := 3; fd < 1024; fd++ {
		// What Go's runtime and this program opened themselves close on exec; what was
		// inherited cannot.
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || flags&unix.FD_CLOEXEC != 0 {
			continue
		}
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return "", err
		}
		open = append(open, fmt.Sprintf("%d=%s", fd, typeName(st.Mode)))
	}
	return strings.Join(open, " "), nil
}

func typeName(mode uint32) string {
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return "directory"
	case unix.S_IFREG:
		return "file"
	case unix.S_IFSOCK:
		return "socket"
	case unix.S_IFIFO:
		return "pipe"
	case unix.S_IFCHR:
		return "device"
	}
	return "other"
}

// traits prints what passes from a process to the next through execve.
func traits([]string) (string, error) {
	status, err := statusFields("Umask")
	if err != nil {
		return "", err
	}
	sid, err := unix.Getsid(0)
	if err != nil {
		return "", err
	}
	prio, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		return "", err
	}
	fmt.Printf("group leader: %t\nsession leader: %t\n", unix.Getpgrp() == os.Getpid(), sid == os.Getpid())
	fmt.Printf("nice: %d\n%s", 20-prio, status) // the raw call counts backwards, see getpriority(2)
	for _, l := range limits() {
		var r unix.Rlimit
		if err := unix.Prlimit(0, l.resource, nil, &r); err != nil {
			return "", err
		}
		fmt.Printf("%s: %s %s\n", l.name, limit(r.Cur), limit(r.Max))
	}
	for fd := range 3 {
		fmt.Printf("descriptor %d: %s\n", fd, descriptor(fd))
	}
	return "", nil
}

type resource struct {
	name     string
	resource int
}

func limits() []resource {
	return []resource{
		// Not the number of open files, which Go's runtime raises as it starts.
		{"core file", unix.RLIMIT_CORE}, {"processes", unix.RLIMIT_NPROC},
		{"stack", unix.RLIMIT_STACK}, {"file size", unix.RLIMIT_FSIZE},
	}
}

func limit(n uint64) string {
	if n == ^uint64(0) {
		return "unlimited"
	}
	return strconv.FormatUint(n, 10)
}

func descriptor(fd int) string {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return errorName(err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFCHR {
		return typeName(st.Mode)
	}
	return fmt.Sprintf("device %d:%d", unix.Major(st.Rdev), unix.Minor(st.Rdev))
}

func capabilities([]string) (string, error) {
	lines, err := statusFields("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")
	fmt.Print(lines)
	return "", err
}

// statusFields are the named lines of /proc/self/status, blanks made one space.
func statusFields(names ...string) (string, error) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(os.Getpid()), "status"))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		for _, n := range names {
			if key, value, ok := strings.Cut(line, ":"); ok && key == n {
				fmt.Fprintf(&out, "%s: %s\n", n, strings.TrimSpace(value))
			}
		}
	}
	return out.String(), nil
}
