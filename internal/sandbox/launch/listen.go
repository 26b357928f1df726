package launch

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Listener hears of the calls that a command makes. The zero value does not.
type Listener struct {
	// Filter returns SECCOMP_RET_USER_NOTIF for the calls to hear of, and
	// SECCOMP_RET_ALLOW for others. The jail's own filter goes before it: what that
	// refuses is refused, whoever listens. It must let sendmsg go, by which its own
	// descriptor reaches the launcher.
	Filter []unix.SockFilter
	// Serve gets the descriptor of seccomp_unotify(2), which it closes, and must answer
	// until nobody is left in the jail. It runs beside the command.
	Serve func(fd int)
}

// An ear is how the descriptor gets from the child to the listener: through a pair
// of sockets, -1 where nobody listens.
type ear struct {
	Listener
	ours, theirs int
	done         chan struct{}
}

func newEar(l Listener) (ear, error) {
	if l.Serve == nil {
		return ear{ours: -1, theirs: -1}, nil
	}
	// With this type of socket the launcher reads an end of file where the child died.
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return ear{ours: -1, theirs: -1}, fmt.Errorf("make a socket: %w", err)
	}
	return ear{Listener: l, ours: fds[0], theirs: fds[1]}, nil
}

// close waits for the listener, who has nobody left to listen to.
func (e *ear) close() {
	closeEnd(&e.ours)
	closeEnd(&e.theirs)
	if e.done != nil {
		<-e.done
	}
}

// prepare tells the child what to do.
func (e *ear) prepare(c *child) {
	if e.theirs >= 0 {
		c.notes, c.ear = newLetter(), uintptr(e.theirs)
		c.listen = &unix.SockFprog{Len: uint16(len(e.Filter)), Filter: &e.Filter[0]}
	}
}

// listen waits for the descriptor and starts the listener. Before that the command
// cannot start: its first call would wait for an answer.
func (e *ear) listen() error {
	if e.ours < 0 {
		return nil
	}
	fd := receive(e.ours, nil, 0)
	if fd < 0 {
		return nil // the child could not make the jail, and says so by the other pipe
	}
	e.done = make(chan struct{})
	go func() {
		defer close(e.done)
		e.Serve(fd)
	}()
	return nil
}

// handListener puts the second filter in place and sends its descriptor. It runs in
// the child, like all of child.go.
//
//go:norace
//go:nosplit
func handListener(c *child) {
	if c.notes == nil {
		return
	}
	fd, _, e := syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(c.listen)))
	if e != 0 {
		fail(c, stepListen, e)
	}
	c.notes.fd = int32(fd)
	syscall.RawSyscall(unix.SYS_SENDMSG, c.ear, uintptr(unsafe.Pointer(&c.notes.hdr)), unix.MSG_NOSIGNAL)
}
