package mask

import (
	"errors"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A dir is one directory on the way.
type dir struct {
	parent *dir
	name   string // in parent; below the root, perhaps of several components, where that is nil
	states states
	isRoot bool

	suspect int      // the rule that hides it unless it is a source package; or none
	inherit *partial // something above is hidden but for parts
	named   bool     // not searched: only rules that name one path count in it

	keeping bool    // a record of it is wanted
	isNews  bool    // and is part of what will be written; changed under walk.mu
	old     saved   // the record that there was
	rec     *record // one that is read, or new; may be nil

	length int   // of the path
	fd     int   // open while children need it; otherwise -1
	need   int32 // children that are not opened yet; counted down by several workers
}

// A partial is a hidden directory of which something stays open: the sources of
// a package, or what an exception names.
type partial struct {
	rule    int
	sources family // files of these languages stay open
}

// path returns the path below the root; empty for the root itself.
func (d *dir) path() string { return string(d.appendPath(nil)) }

func (d *dir) appendPath(dst []byte) []byte {
	if d.parent != nil {
		dst = d.parent.appendPath(dst)
	}
	return join(dst, d.name)
}

func join(dst []byte, name string) []byte {
	if len(dst) > 0 && name != "" {
		dst = append(dst, '/')
	}
	return append(dst, name...)
}

// in returns the path below the root of a name in d.
func (d *dir) in(name string) string { return string(join(d.appendPath(nil), name)) }

// maxGlance is how long a path may be that is looked at without opening what leads
// there: with a name below it, it still fits into a call.
const maxGlance = unix.PathMax - 2*256

// maxKept bounds the descriptors that stay open for children. Beyond it, they are
// opened by their path from the root, one component after the other.
const maxKept = 192

const openDir = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC

// open opens d relative to its parent, so that a component which somebody swaps
// for a link meanwhile leads nowhere, and so that a deep tree on a network costs
// one round trip a directory.
func (w *walk) open(d *dir) (int, error) {
	switch {
	case d.isRoot:
		return openat(w.root, ".", openDir)
	case d.parent == nil:
		return openBelow(w.root, d.name, openDir)
	case d.parent.fd >= 0:
		return openat(d.parent.fd, d.name, openDir)
	}
	return openBelow(w.root, d.path(), openDir)
}

// glance looks at d without opening it. Links on the way are followed: whatever it
// finds is compared with what was there before.
func (k *worker) glance(d *dir, st *stat) error {
	if d.isRoot {
		return statOf(k.root, st)
	}
	at := k.root
	k.path = k.path[:0]
	if d.parent != nil && d.parent.fd >= 0 {
		at, k.path = d.parent.fd, append(k.path, d.name...)
	} else {
		k.path = d.appendPath(k.path)
	}
	k.path = append(k.path, 0)
	return statBytes(at, k.path, st)
}

// keep leaves f open as long as children of d must be opened.
func (w *walk) keep(d *dir, f int, next []*dir) {
	for _, c := range next {
		if c.parent == d {
			d.need++
		}
	}
	if f >= 0 && d.need > 0 && w.reserve() {
		d.fd = f
		return
	}
	d.fd = -1
	if f >= 0 {
		unix.Close(f)
	}
}

func (w *walk) reserve() bool {
	if w.kept.Add(1) <= maxKept {
		return true
	}
	w.kept.Add(-1)
	return false
}

// leave says that one more child of d has been opened.
func (w *walk) leave(d *dir) {
	if d != nil && d.fd >= 0 && atomic.AddInt32(&d.need, -1) == 0 {
		unix.Close(d.fd)
		w.kept.Add(-1)
	}
}

// openat is openat(2), tried again where a signal of Go's own scheduler came in
// between: some file systems in user space say so.
func openat(at int, name string, flags int) (int, error) {
	for {
		f, err := unix.Openat(at, name, flags, 0)
		if err != unix.EINTR {
			return f, err
		}
	}
}

// openBelow opens a path of any length and follows no link on the way.
func openBelow(root int, path string, flags int) (int, error) {
	const step = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	at := root
	for from := 0; ; {
		to := from
		for to < len(path) && path[to] != '/' {
			to++
		}
		how := step
		if to == len(path) {
			how = flags
		}
		f, err := openat(at, path[from:to], how)
		if at != root {
			unix.Close(at)
		}
		if err != nil || to == len(path) {
			return f, err
		}
		at, from = f, to+1
	}
}

// gone reports that a name no longer names what the directory said. It happens:
// others work in the tree while we read it.
func gone(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ESTALE)
}

// refused reports that the caller may not read or search a directory.
func refused(err error) bool {
	return errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM)
}
