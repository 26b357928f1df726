package trace

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A notice is struct seccomp_notif: a process that has been stopped at a call.
type notice struct {
	id     uint64
	pid    uint32
	flags  uint32
	number int32
	arch   uint32
	at     uint64
	args   [6]uint64
}

// An answer is struct seccomp_notif_resp.
type answer struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// Serve hears notices from listener, which the jail's own filter gave, and writes
// them down until the last process of the jail has ended. It closes listener.
func Serve(listener int, r *Record) {
	defer unix.Close(listener)
	table := make(map[int32]call)
	for _, c := range calls() {
		table[int32(c.number)] = c
	}
	fds := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(fds, -1); err == unix.EINTR {
			continue
		} else if err != nil || fds[0].Revents&unix.POLLIN == 0 {
			return // POLLHUP: nobody is left
		}
		var n notice
		if ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)) != 0 {
			continue // it was ended in between
		}
		if c, ok := table[n.number]; ok {
			t := &task{listener: listener, notice: &n, record: r}
			t.note(c)
		}
		a := answer{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&a))
	}
}

func ioctl(fd int, request uintptr, p unsafe.Pointer) unix.Errno {
	for {
		_, _, e := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(p))
		if e != unix.EINTR {
			return e
		}
	}
}

// A task is a process that waits at a call.
type task struct {
	listener int
	notice   *notice
	record   *Record
}

// arg is an argument by its place.
func (t *task) arg(i int) uint64 { return t.notice.args[i] }

func (t *task) note(c call) {
	switch {
	case c.path != nowhere:
		t.path(c)
	case c.data != nowhere:
		t.sent(t.memory(t.arg(c.data), min(t.arg(c.data+1), maxQuery)))
		t.address(t.arg(c.address), t.arg(c.address+1))
	case c.many != nowhere:
		for i := range min(t.arg(c.many+1), maxMessages) {
			t.message(t.arg(c.many) + i*sizeofMany)
		}
	case c.address != nowhere:
		t.address(t.arg(c.address), t.arg(c.address+1))
	}
}

// path notes a path, as it is seen inside.
func (t *task) path(c call) {
	path := t.text(t.arg(c.path))
	if path == "" {
		return
	}
	if path[0] != '/' {
		dir := t.dir(c)
		if dir == "" {
			return
		}
		path = dir + "/" + path
	}
	kind := Path
	if c.flags != nowhere {
		flags := t.arg(c.flags)
		if c.how {
			flags = binary.NativeEndian.Uint64(append(t.memory(flags, 8), make([]byte, 8)...))
		}
		if flags&(unix.O_WRONLY|unix.O_RDWR|unix.O_CREAT|unix.O_TRUNC) != 0 {
			kind = Write
		}
	}
	if t.valid() {
		t.record.Add(kind, filepath.Clean(path))
	}
}

// dir is the directory that a relative path counts from.
func (t *task) dir(c call) string {
	name := "cwd"
	if c.dir != nowhere && int32(t.arg(c.dir)) != unix.AT_FDCWD {
		name = "fd/" + strconv.Itoa(int(int32(t.arg(c.dir))))
	}
	dir, err := os.Readlink("/proc/" + strconv.Itoa(int(t.notice.pid)) + "/" + name)
	if err != nil || !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// valid reports whether the process still waits. If it does not, its number may have
// been another's when its memory was read.
func (t *task) valid() bool {
	return ioctl(t.listener, unix.SECCOMP_IOCTL_NOTIF_ID_VALID, unsafe.Pointer(&t.notice.id)) == 0
}

// memory is a copy of some of the process's memory, or of its first part, if not all
// of it is there.
func (t *task) memory(at, length uint64) []byte {
	if at == 0 || length == 0 || length > maxLength {
		return nil
	}
	b := make([]byte, length)
	local := []unix.Iovec{{Base: &b[0], Len: length}}
	n, err := unix.ProcessVMReadv(int(t.notice.pid), local, []unix.RemoteIovec{{Base: uintptr(at), Len: int(length)}}, 0)
	if err != nil {
		return nil
	}
	return b[:n]
}

// text is a C string. It is read up to the end of a page first: what lies behind may
// not be there.
func (t *task) text(at uint64) string {
	const page = 4096
	var all []byte
	for len(all) < maxLength {
		b := t.memory(at, page-at%page)
		for i, c := range b {
			if c == 0 {
				return string(append(all, b[:i]...))
			}
		}
		if len(b) == 0 {
			return ""
		}
		all, at = append(all, b...), at+uint64(len(b))
	}
	return ""
}
