package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// families names the kinds of sockets that can be made beyond what programs talk by.
func families([]string) (string, error) {
	var ways []way
	for _, f := range []struct {
		name                   string
		family, kind, protocol int
	}{
		{"vsock", unix.AF_VSOCK, unix.SOCK_STREAM, 0},
		{"alg", unix.AF_ALG, unix.SOCK_SEQPACKET, 0},
		{"packet", unix.AF_PACKET, unix.SOCK_DGRAM, 0},
		{"raw", unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP},
		{"uevent", unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_KOBJECT_UEVENT},
		{"audit", unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT},
		{"netfilter", unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_NETFILTER},
		{"xdp", unix.AF_XDP, unix.SOCK_RAW, 0},
		{"oldpacket", unix.AF_INET, unix.SOCK_PACKET, 0},
	} {
		ways = append(ways, way{f.name, func() error {
			return closing(unix.Socket(f.family, f.kind|unix.SOCK_CLOEXEC, f.protocol))
		}})
	}
	return first(ways)
}

// threads makes a refused call from many threads at once: a filter that was loaded
// for one of them does not hold for the others.
func threads([]string) (string, error) {
	const many = 64
	var wg sync.WaitGroup
	var mu sync.Mutex
	got := 0
	for range many {
		wg.Go(func() {
			runtime.LockOSThread() // and let it die with the thread
			_, _, errno := unix.RawSyscall(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID, ^uintptr(2), 0)
			mu.Lock()
			defer mu.Unlock()
			if errno != unix.EPERM && errno != unix.ENOSYS {
				got++
			}
		})
	}
	wg.Wait()
	if got == 0 {
		return "", unix.EPERM
	}
	return fmt.Sprintf("%d of %d", got, many), nil
}

// ring sets up io_uring, whose requests pass no filter.
func ring([]string) (string, error) {
	params := make([]byte, 120)
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params[0])), 0)
	if errno != 0 {
		return "", errno
	}
	return "", unix.Close(int(fd))
}

// clone3 makes a child in a user namespace, the flags behind a pointer.
func clone3([]string) (string, error) {
	runtime.LockOSThread()
	args := struct{ flags, pidfd, childTID, parentTID, exitSignal, stack, stackSize, tls uint64 }{
		flags: unix.CLONE_NEWUSER, exitSignal: uint64(unix.SIGCHLD),
	}
	pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0)
	if errno != 0 {
		return "", errno
	}
	if pid == 0 {
		for {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	_, err := unix.Wait4(int(pid), nil, unix.WALL, nil)
	return "", err
}

// x32 makes a system call by its number for programs of 32-bit pointers.
func x32([]string) (string, error) {
	if runtime.GOARCH != "amd64" {
		return "", refusal("no such thing on " + runtime.GOARCH)
	}
	const x32Bit = 0x40000000
	pid, _, errno := unix.Syscall(unix.SYS_GETPID|x32Bit, 0, 0, 0)
	if errno != 0 {
		return "", errno
	}
	return strconv.Itoa(int(pid)), nil
}

// ia32 makes a system call by the gate for 32-bit programs. A kernel without one
// ends this process, which is why it is a child that tries.
func ia32(args []string) (string, error) {
	if os.Getenv("PROBE_IA32") == "" {
		again := exec.Command("/proc/self/exe", "ia32")
		again.Env = append(os.Environ(), "PROBE_IA32=1")
		out, err := again.Output()
		if err != nil {
			return "", refusal(strings.TrimSpace(string(out)) + " " + err.Error())
		}
		return strings.TrimSpace(string(out)), nil
	}
	const getpid = 20
	n := gate32(getpid)
	if n < 0 {
		return "", syscall.Errno(-n)
	}
	return strconv.Itoa(int(n)), nil
}

// notifications makes a pipe that kernel events come through.
func notifications([]string) (string, error) {
	fds := make([]int, 2)
	if err := unix.Pipe2(fds, unix.O_EXCL); err != nil { // O_NOTIFICATION_PIPE
		return "", err
	}
	unix.Close(fds[0])
	return "", unix.Close(fds[1])
}

// openForWriting opens a file that is there, and writes nothing.
func openForWriting(args []string) (string, error) {
	return "", closing(unix.Open(args[0], unix.O_WRONLY|unix.O_CLOEXEC, 0))
}

func openForReading(args []string) (string, error) {
	return "", closing(unix.Open(args[0], unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0))
}

// hostname sets it to what it is.
func hostname([]string) (string, error) {
	name, err := os.Hostname()
	if err != nil {
		return "", err
	}
	return "", unix.Sethostname([]byte(name))
}

// deviceNode makes one: of /dev/zero, and of the number that means "deleted" to an
// overlay.
func deviceNode(args []string) (string, error) {
	return first([]way{
		{"zero", func() error { return unix.Mknod(args[0]+"-zero", unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))) }},
		{"whiteout", func() error { return unix.Mknod(args[0]+"-whiteout", unix.S_IFCHR|0o666, 0) }},
	})
}

// roomy reports whether a file system in memory may grow beyond the memory there is.
func roomy(args []string) (string, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(args[0], &st); err != nil {
		return "", err
	}
	var si unix.Sysinfo_t
	if err := unix.Sysinfo(&si); err != nil {
		return "", err
	}
	size, ram := st.Blocks*uint64(st.Bsize), uint64(si.Totalram)*uint64(si.Unit)
	if size != 0 && size < ram && st.Files != 0 {
		return "", refusal(fmt.Sprintf("%d bytes, %d files", size, st.Files))
	}
	return fmt.Sprintf("%d bytes, %d files", size, st.Files), nil
}

// setAttribute sets an extended attribute.
func setAttribute(args []string) (string, error) {
	return "", unix.Setxattr(args[0], args[1], []byte(args[2]), 0)
}
