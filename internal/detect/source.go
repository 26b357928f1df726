package detect

import (
	"io/fs"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// Stat reports what path names, without following it: a link is reported as a
// link, with its text. The error is a *fs.PathError, so that a missing path is
// fs.ErrNotExist.
func Stat(path string) (plan.Source, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(unix.AT_FDCWD, path, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return plan.Source{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	src := source(path, &st)
	if src.Type != plan.Symlink {
		return src, nil
	}
	text, err := readlink(path)
	if err != nil {
		return plan.Source{}, &fs.PathError{Op: "readlink", Path: path, Err: err}
	}
	src.Link = text
	return src, nil
}

// source is what st says about path; the text of a link is not in it.
func source(path string, st *unix.Stat_t) plan.Source {
	return plan.Source{
		Path: path,
		Type: plan.TypeOf(st.Mode),
		ID:   plan.ID{Dev: st.Dev, Ino: st.Ino},
		UID:  st.Uid,
		Perm: st.Mode & 0o7777,
	}
}

// readlink returns the text of the link at path. A text that fills the buffer
// may have been cut, so the buffer grows until it does not.
func readlink(path string) (string, error) {
	for size := 256; ; size *= 2 {
		buf := make([]byte, size)
		n, err := unix.Readlink(path, buf)
		if err != nil {
			return "", err
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}
