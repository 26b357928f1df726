package launch

import (
	"fmt"
	"syscall"
	"unsafe"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A hand is a pair of sockets by which the child hands the launcher the home
// inside, so that the launcher can look at it after everything has ended: nobody
// else can then, as the mount is in no namespace any more. It costs nothing while
// the command runs. Both are -1 where nobody wants the home.
type hand struct{ ours, theirs int }

// A letter is a message that carries one descriptor, as sendmsg(2) wants it, and
// what the file system of the home held before the command. The child writes the
// number of the descriptor, which nobody knows before, and sends it.
type letter struct {
	hdr    unix.Msghdr
	iov    unix.Iovec
	head   unix.Cmsghdr
	fd     int32
	_      int32
	before unix.Statfs_t
}

func newLetter() *letter {
	l := &letter{}
	l.iov.Base = (*byte)(unsafe.Pointer(&l.before))
	l.iov.SetLen(int(unsafe.Sizeof(l.before)))
	l.hdr.Iov, l.hdr.Iovlen = &l.iov, 1
	l.head.Level, l.head.Type = unix.SOL_SOCKET, unix.SCM_RIGHTS
	l.head.SetLen(unix.CmsgLen(4))
	l.hdr.Control = (*byte)(unsafe.Pointer(&l.head))
	l.hdr.SetControllen(unix.CmsgSpace(4))
	return l
}

func newHand(p *plan.Plan) (hand, error) {
	if p.Process.Home == "" {
		return hand{-1, -1}, nil
	}
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return hand{-1, -1}, fmt.Errorf("make a socket: %w", err)
	}
	return hand{fds[0], fds[1]}, nil
}

// closeEnd closes one end. A negative one is none.
func closeEnd(fd *int) {
	if *fd >= 0 {
		unix.Close(*fd)
	}
	*fd = -1
}

// receive reads a letter and returns the descriptor in it; -1 if there is none.
func receive(socket int, data []byte, flags int) int {
	control := make([]byte, unix.CmsgSpace(4))
	for {
		_, n, _, _, err := unix.Recvmsg(socket, data, control, flags|unix.MSG_CMSG_CLOEXEC)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return -1
		}
		messages, err := unix.ParseSocketControlMessage(control[:n])
		if err != nil || len(messages) != 1 {
			return -1
		}
		fds, err := unix.ParseUnixRights(&messages[0])
		if err != nil || len(fds) != 1 {
			return -1
		}
		return fds[0]
	}
}

// take returns the home that the child handed over; -1 if it did not, or if there
// are no more files in it than before the command.
func (h hand) take() int {
	if h.ours < 0 {
		return -1
	}
	var before, now unix.Statfs_t
	data := unsafe.Slice((*byte)(unsafe.Pointer(&before)), unsafe.Sizeof(before))
	fd := receive(h.ours, data, unix.MSG_DONTWAIT)
	if fd < 0 {
		return -1
	}
	if unix.Fstatfs(fd, &now) != nil || now.Files-now.Ffree <= before.Files-before.Ffree {
		unix.Close(fd)
		return -1
	}
	return fd
}

// handOver opens the home and sends it to the launcher. It runs in the child, like
// all of child.go. A home that cannot be handed over is not looked at, and that is
// all.
//
//go:norace
//go:nosplit
func handOver(c *child) {
	if c.letter == nil {
		return
	}
	fd, _, e := syscall.RawSyscall6(unix.SYS_OPENAT, atCWD, c.home, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0, 0, 0)
	if e != 0 {
		return
	}
	c.letter.fd = int32(fd)
	syscall.RawSyscall(unix.SYS_FSTATFS, fd, uintptr(unsafe.Pointer(&c.letter.before)), 0)
	syscall.RawSyscall(unix.SYS_SENDMSG, c.hand, uintptr(unsafe.Pointer(&c.letter.hdr)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
}
