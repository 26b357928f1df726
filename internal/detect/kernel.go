package detect

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A caller makes one system call. Tests give another one to lower a fact.
type caller func(number, a1, a2, a3, a4, a5 uintptr) (uintptr, unix.Errno)

// Kernel asks the running kernel what it can do, by calls that change nothing:
// with arguments that each kernel which knows the call must refuse in the same
// way. Any other answer means no: a kernel that does not know the call says
// ENOSYS, and a filter around us (a container's) says EPERM.
func Kernel() plan.Kernel {
	k := probe(func(number, a1, a2, a3, a4, a5 uintptr) (uintptr, unix.Errno) {
		r, _, errno := unix.RawSyscall6(number, a1, a2, a3, a4, a5, 0)
		return r, errno
	})
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		k.Release = unix.ByteSliceToString(name.Release[:])
	}
	return k
}

// nowhere is a descriptor and an address that cannot exist.
const nowhere = ^uintptr(0)

func probe(call caller) plan.Kernel {
	fails := func(want unix.Errno, number, a1, a2, a3, a4, a5 uintptr) bool {
		_, errno := call(number, a1, a2, a3, a4, a5)
		return errno == want
	}
	return plan.Kernel{
		LandlockABI: landlockABI(call),
		Seccomp:     seccompErrno(call),
		// A struct of no bytes is too small for both of them, whoever asks; unknown
		// flags are looked at first, before any right.
		MountAPI: fails(unix.EINVAL, unix.SYS_MOUNT_SETATTR, nowhere, 0, 0, 0, 0) &&
			fails(unix.EINVAL, unix.SYS_OPEN_TREE, nowhere, 0, nowhere, 0, 0),
		Openat2: fails(unix.EINVAL, unix.SYS_OPENAT2, nowhere, 0, 0, 0, 0),
		// The highest number is never open, so this closes nothing. Linux 5.9 and
		// 5.10 have the call without the flag, and say EINVAL.
		CloseRange: fails(0, unix.SYS_CLOSE_RANGE, 1<<32-1, 1<<32-1, unix.CLOSE_RANGE_CLOEXEC, 0, 0),
		CgroupNS:   cgroupNS(call),
	}
}

// landlockABI is the version of Landlock, 0 if there is none or it was turned
// off when the kernel started.
func landlockABI(call caller) int {
	abi, errno := call(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// seccompErrno reports whether filters exist that can answer with an error
// (CONFIG_SECCOMP_FILTER, Linux 4.14).
func seccompErrno(call caller) bool {
	var pin runtime.Pinner // the stack may move while call is called
	defer pin.Unpin()
	action := new(uint32)
	pin.Pin(action)
	*action = unix.SECCOMP_RET_ERRNO
	_, errno := call(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(action)), 0, 0)
	return errno == 0
}

// cgroupNS reports whether cgroup namespaces exist. No call says so without
// making one, or needs rights; the kernel's own list of this process does.
func cgroupNS(call caller) bool {
	var pin runtime.Pinner
	defer pin.Unpin()
	path := []byte("/proc/self/ns/cgroup\x00")
	pin.Pin(&path[0])
	_, errno := call(unix.SYS_FACCESSAT, nowhere, uintptr(unsafe.Pointer(&path[0])), unix.F_OK, 0, 0)
	return errno == 0
}
