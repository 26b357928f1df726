package detect

import (
	"io/fs"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// unreadable returns, in the order of their paths, what lies below dir and may
// not be read by others: files without o+r, directories without o+rx. Such a
// directory stands for all that is in it. Links are not followed: what they lead
// to has a mode of its own.
//
// Only the mode counts, not who is asking. A root caller may read everything, a
// member of a group what the group may, and the jail must show neither.
//
// Each file costs one call, so this is the most expensive of the facts. It works
// on what getdents(2) and fstatat(2) give, without a string for a name that is
// not a hit, and leaves links out by the type in the directory entry.
//
// It is one thread's work: split in two it gains a third when the machine has
// nothing else to do, and a launch has.
func unreadable(dir string) ([]plan.Source, error) {
	w, err := walkAll(dir)
	if err != nil {
		return nil, err
	}
	return w.hits, nil
}

func walkAll(dir string) (*walk, error) {
	w := &walk{todo: []string{dir}, buf: make([]byte, 16<<10)}
	for len(w.todo) > 0 {
		next := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if err := w.read(next); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(w.hits, byPath)
	return w, nil
}

// A walk reads one directory after the other into the same buffer.
type walk struct {
	todo []string // directories that are still to be read
	hits []plan.Source
	seen []seenDir // what was read

	dir string // the one being read
	fd  int
	buf []byte
	st  unix.Stat_t // of the entry being judged
}

// A seenDir is a directory as it was before it was read.
type seenDir struct {
	path  string
	id    plan.ID
	ctime unix.Timespec
}

// read adds the entries of dir to the hits and to what is to be read.
func (w *walk) read(dir string) error {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		if nothingToHide(err) {
			return nil
		}
		return &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return &fs.PathError{Op: "stat", Path: dir, Err: err}
	}
	w.seen = append(w.seen, seenDir{dir, plan.ID{Dev: st.Dev, Ino: st.Ino}, st.Ctim})
	w.dir, w.fd = dir, fd
	for {
		n, err := unix.Getdents(fd, w.buf)
		if err != nil {
			return &fs.PathError{Op: "read directory", Path: dir, Err: err}
		}
		if n == 0 {
			return nil
		}
		if err := w.entries(w.buf[:n]); err != nil {
			return err
		}
	}
}

// The layout of struct linux_dirent64, getdents(2).
const (
	direntLen  = 16 // of the whole entry, two bytes
	direntType = 18
	direntName = 19 // ends in a zero byte
)

// entries judges each entry in buf.
func (w *walk) entries(buf []byte) error {
	for len(buf) > 0 {
		entry := buf[:*(*uint16)(unsafe.Pointer(&buf[direntLen]))]
		buf = buf[len(entry):]
		if entry[direntType] == unix.DT_LNK || isDots(entry[direntName:]) {
			continue
		}
		// No copy of the name: it ends in a zero byte where it stands.
		_, _, errno := unix.RawSyscall6(unix.SYS_NEWFSTATAT, uintptr(w.fd),
			uintptr(unsafe.Pointer(&entry[direntName])), uintptr(unsafe.Pointer(&w.st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		name := entry[direntName:]
		switch {
		case errno == 0:
			w.judge(name)
		case !nothingToHide(errno):
			return &fs.PathError{Op: "stat", Path: join(w.dir, unix.ByteSliceToString(name)), Err: errno}
		}
	}
	return nil
}

// nothingToHide reports whether err means that a path has gone, or that not even
// this caller may look at it: an access control list or another guard is
// stricter than the mode, inside as outside.
func nothingToHide(err error) bool {
	switch err {
	case unix.ENOENT, unix.ENOTDIR, unix.ELOOP, unix.EACCES:
		return true
	}
	return false
}

// isDots reports whether name, which ends in a zero byte, is "." or "..".
func isDots(name []byte) bool {
	return name[0] == '.' && (name[1] == 0 || name[1] == '.' && name[2] == 0)
}

// judge adds the entry called name, which w.st describes, to the hits or to the
// directories that are still to be read.
func (w *walk) judge(name []byte) {
	kind := w.st.Mode & unix.S_IFMT
	need := uint32(0o004)
	if kind == unix.S_IFDIR {
		need = 0o005
	}
	switch {
	case kind == unix.S_IFLNK:
	case w.st.Mode&need != need:
		w.hits = append(w.hits, source(join(w.dir, unix.ByteSliceToString(name)), &w.st))
	case kind == unix.S_IFDIR:
		w.todo = append(w.todo, join(w.dir, unix.ByteSliceToString(name)))
	}
}
