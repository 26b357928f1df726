package detect

import (
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// answer is what a kernel says to one call.
type answer struct {
	value uintptr
	errno unix.Errno
}

// modern is what a kernel that has everything says.
func modern() map[uintptr]answer {
	return map[uintptr]answer{
		unix.SYS_LANDLOCK_CREATE_RULESET: {value: 7},
		unix.SYS_SECCOMP:                 {},
		unix.SYS_MOUNT_SETATTR:           {errno: unix.EINVAL},
		unix.SYS_OPEN_TREE:               {errno: unix.EINVAL},
		unix.SYS_OPENAT2:                 {errno: unix.EINVAL},
		unix.SYS_CLOSE_RANGE:             {},
		unix.SYS_FACCESSAT:               {},
	}
}

func TestKernelFactsLowered(t *testing.T) {
	full := plan.Kernel{LandlockABI: 7, Seccomp: true, MountAPI: true, Openat2: true, CloseRange: true, CgroupNS: true}
	for _, tt := range []struct {
		name   string
		number uintptr
		says   answer
		want   func(*plan.Kernel)
	}{
		{"modern", unix.SYS_OPENAT2, answer{errno: unix.EINVAL}, func(*plan.Kernel) {}},
		{"Landlock 3", unix.SYS_LANDLOCK_CREATE_RULESET, answer{value: 3}, func(k *plan.Kernel) { k.LandlockABI = 3 }},
		{"no Landlock", unix.SYS_LANDLOCK_CREATE_RULESET, answer{^uintptr(0), unix.ENOSYS}, func(k *plan.Kernel) { k.LandlockABI = 0 }},
		{"Landlock turned off", unix.SYS_LANDLOCK_CREATE_RULESET, answer{^uintptr(0), unix.EOPNOTSUPP}, func(k *plan.Kernel) { k.LandlockABI = 0 }},
		{"no seccomp", unix.SYS_SECCOMP, answer{^uintptr(0), unix.ENOSYS}, func(k *plan.Kernel) { k.Seccomp = false }},
		{"seccomp without filters", unix.SYS_SECCOMP, answer{^uintptr(0), unix.EINVAL}, func(k *plan.Kernel) { k.Seccomp = false }},
		{"no errno action", unix.SYS_SECCOMP, answer{^uintptr(0), unix.EOPNOTSUPP}, func(k *plan.Kernel) { k.Seccomp = false }},
		{"before 5.12", unix.SYS_MOUNT_SETATTR, answer{^uintptr(0), unix.ENOSYS}, func(k *plan.Kernel) { k.MountAPI = false }},
		{"a filter on mounts", unix.SYS_OPEN_TREE, answer{^uintptr(0), unix.EPERM}, func(k *plan.Kernel) { k.MountAPI = false }},
		{"before 5.6", unix.SYS_OPENAT2, answer{^uintptr(0), unix.ENOSYS}, func(k *plan.Kernel) { k.Openat2 = false }},
		{"a filter on openat2", unix.SYS_OPENAT2, answer{^uintptr(0), unix.EPERM}, func(k *plan.Kernel) { k.Openat2 = false }},
		{"before 5.9", unix.SYS_CLOSE_RANGE, answer{^uintptr(0), unix.ENOSYS}, func(k *plan.Kernel) { k.CloseRange = false }},
		{"before 5.11", unix.SYS_CLOSE_RANGE, answer{^uintptr(0), unix.EINVAL}, func(k *plan.Kernel) { k.CloseRange = false }},
		{"no cgroup namespace", unix.SYS_FACCESSAT, answer{^uintptr(0), unix.ENOENT}, func(k *plan.Kernel) { k.CgroupNS = false }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			says := modern()
			says[tt.number] = tt.says
			want := full
			tt.want(&want)
			got := probe(func(number, _, _, _, _, _ uintptr) (uintptr, unix.Errno) {
				a, known := says[number]
				if !known {
					t.Fatalf("an unexpected call: %d", number)
				}
				return a.value, a.errno
			})
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// What Kernel says without doing it is what happens when it is done.
func TestKernelAgainstTheRealCalls(t *testing.T) {
	k := Kernel()
	fd, err := unix.Openat2(unix.AT_FDCWD, "/", &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC})
	if k.Openat2 != (err == nil) {
		t.Errorf("Openat2 is %t, and opening says %v", k.Openat2, err)
	}
	unix.Close(fd)
	if err := unix.CloseRange(1<<31, 1<<31, unix.CLOSE_RANGE_CLOEXEC); k.CloseRange != (err == nil) {
		t.Errorf("CloseRange is %t, and closing says %v", k.CloseRange, err)
	}
	err = unix.MountSetattr(-1, "", 0, &unix.MountAttr{})
	if k.MountAPI == (err == unix.ENOSYS) {
		t.Errorf("MountAPI is %t, and calling says %v", k.MountAPI, err)
	}
	if (k.LandlockABI > 0) != landlockWorks() {
		t.Errorf("LandlockABI is %d", k.LandlockABI)
	}
	if k.Release == "" {
		t.Error("no release")
	}
}

// landlockWorks makes a ruleset, which restricts nobody by itself.
func landlockWorks() bool {
	rights := uint64(unix.LANDLOCK_ACCESS_FS_EXECUTE) // struct landlock_ruleset_attr as it began
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rights)), unsafe.Sizeof(rights), 0)
	if errno == 0 {
		unix.Close(int(fd))
	}
	return errno == 0
}

// The calls must leave nothing behind, least of all closed descriptors.
func TestKernelChangesNothing(t *testing.T) {
	var pipe [2]int
	must(t, unix.Pipe2(pipe[:], 0))
	defer unix.Close(pipe[0])
	defer unix.Close(pipe[1])
	first := Kernel()
	if second := Kernel(); first != second {
		t.Errorf("%+v, then %+v", first, second)
	}
	for _, fd := range []int{0, 1, 2, pipe[0], pipe[1]} {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || flags&unix.FD_CLOEXEC != 0 {
			t.Errorf("descriptor %d: %d, %v", fd, flags, err)
		}
	}
	before, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	Kernel()
	after, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	if len(after) != len(before) {
		t.Errorf("%d descriptors, then %d", len(before), len(after))
	}
}

func BenchmarkKernel(b *testing.B) {
	for b.Loop() {
		Kernel()
	}
}
