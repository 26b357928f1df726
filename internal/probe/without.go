package main

import (
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// without runs a command on a kernel that lacks some calls, or refuses them: an
// older one, or a container's filter. "userns" is a clone that asks for a user
// namespace, "clone3" should be named beside it.
func without(args []string) (string, error) {
	filter := []unix.SockFilter{load(0)} // the number of the call
	for _, text := range strings.Split(args[0], ",") {
		name, errno, _ := strings.Cut(text, "=")
		rules, err := refuse(name, errno)
		if err != nil {
			return "", err
		}
		filter = append(filter, rules...)
	}
	filter = append(filter, answer(unix.SECCOMP_RET_ALLOW))
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return "", err
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return "", errno
	}
	return "", execute(args[1:])
}

// refuse is a piece of filter that answers one call with an errno and leaves the
// number of the call loaded.
func refuse(name, errno string) ([]unix.SockFilter, error) {
	e, ok := errnos()[errno]
	if !ok {
		return nil, refusal("unknown errno " + errno)
	}
	deny := answer(unix.SECCOMP_RET_ERRNO | uint32(e))
	if name == "userns" {
		const nr, arg0 = 0, 16
		return []unix.SockFilter{
			jump(unix.BPF_JEQ, unix.SYS_CLONE, 0, 4),
			load(arg0),
			jump(unix.BPF_JSET, unix.CLONE_NEWUSER, 0, 1),
			deny,
			load(nr),
		}, nil
	}
	for _, c := range harmless() {
		if c.name == name {
			return []unix.SockFilter{jump(unix.BPF_JEQ, uint32(c.nr), 0, 1), deny}, nil
		}
	}
	for _, c := range plumbing() {
		if c.name == name {
			return []unix.SockFilter{jump(unix.BPF_JEQ, uint32(c.nr), 0, 1), deny}, nil
		}
	}
	return nil, refusal("unknown call " + name)
}

// plumbing are calls that a program may lack and that are no attacks.
func plumbing() []systemCall {
	return []systemCall{
		{name: "close_range", nr: unix.SYS_CLOSE_RANGE}, {name: "statx", nr: unix.SYS_STATX},
		{name: "landlock_restrict_self", nr: unix.SYS_LANDLOCK_RESTRICT_SELF},
		{name: "pidfd_open", nr: unix.SYS_PIDFD_OPEN},
	}
}

func errnos() map[string]syscall.Errno {
	return map[string]syscall.Errno{
		"EPERM": unix.EPERM, "ENOSYS": unix.ENOSYS, "ENOSPC": unix.ENOSPC, "EOPNOTSUPP": unix.EOPNOTSUPP, "EINVAL": unix.EINVAL,
	}
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(how uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | how | unix.BPF_K, K: k, Jt: yes, Jf: no}
}

func answer(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
