package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// maxFile bounds a configuration: a hostile one must cost little to refuse.
const maxFile = 64 << 10

// The names below a project's directory.
const (
	markerName = ".ai-jail"
	fileName   = "config.toml"
)

// A File is a configuration that was read, once: the bytes that somebody hashes
// are the bytes that are parsed.
type File struct {
	Path string
	Name string // below .ai-jail, as consent knows it; empty for a file of the user's
	Data []byte
}

// ReadProject returns the configuration in the marker of dir, or nil where there
// is none. uid is the caller's.
func ReadProject(dir string, uid uint32) (*File, error) {
	marker := filepath.Join(dir, markerName)
	fd, err := open(unix.AT_FDCWD, marker, unix.O_PATH|unix.O_DIRECTORY)
	if errors.Is(err, unix.ENOENT) {
		return nil, nil
	}
	if err != nil {
		return nil, refuse(marker, err)
	}
	defer unix.Close(fd)
	// The marker's owner may write it, whoever calls: root in a user's project.
	// detect vouches for that owner, and an untrusted file can only tighten.
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, refuse(marker, err)
	}
	path := filepath.Join(marker, fileName)
	data, err := read(fd, fileName, path, uid, st.Uid)
	if data == nil {
		return nil, err
	}
	return &File{Path: path, Name: fileName, Data: data}, nil
}

// readUser returns a file of the user's own, or nil where there is none.
func readUser(path string, uid uint32) (*File, error) {
	data, err := read(unix.AT_FDCWD, path, path, uid, uid)
	if data == nil {
		return nil, err
	}
	return &File{Path: path, Data: data}, nil
}

// read opens name below the directory dir and returns its bytes, never nil where
// there is a file. path is what messages call it.
func read(dir int, name, path string, owners ...uint32) ([]byte, error) {
	// NONBLOCK: a FIFO must be refused, not waited for. NOFOLLOW: a link could
	// make a file of somewhere else speak here.
	fd, err := open(dir, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY)
	if errors.Is(err, unix.ENOENT) {
		return nil, nil
	}
	if err != nil {
		return nil, refuse(path, err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, refuse(path, err)
	}
	if err := inspect(path, &st, owners); err != nil {
		return nil, err
	}
	data, err := readAll(fd, int(st.Size))
	switch {
	case err != nil:
		return nil, refuse(path, err)
	case len(data) > maxFile: // it has grown since fstat
		return nil, &Error{File: path, Cause: tooLarge()}
	}
	return data, nil
}

// inspect refuses a file that somebody else could have written. owners may, and
// root.
func inspect(path string, st *unix.Stat_t, owners []uint32) error {
	bad := func(cause, hint string) *Error { return &Error{File: path, Cause: cause, Hint: hint} }
	switch {
	case st.Mode&unix.S_IFMT == unix.S_IFDIR:
		return &Error{File: path, Cause: "is a directory, not a file", directory: true}
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return bad("is not a regular file", "ls -l "+plan.Word(path))
	case st.Uid != 0 && !slices.Contains(owners, st.Uid):
		return bad(fmt.Sprintf("belongs to another user (uid %d)", st.Uid), "ls -l "+plan.Word(path))
	case st.Mode&0o002 != 0, st.Mode&0o020 != 0 && !private(st):
		return bad(fmt.Sprintf("can be written by others (mode %04o)", st.Mode&0o7777), "chmod go-w "+plan.Word(path))
	case st.Size > maxFile:
		return bad(tooLarge(), "")
	}
	return nil
}

// private reports whether the file's group is its owner's alone, which has the
// owner's own number. With such groups a umask of 002 is common (Ubuntu, Fedora),
// and every file that an editor or git writes may be written by the group.
func private(st *unix.Stat_t) bool { return st.Gid == st.Uid }

func tooLarge() string { return fmt.Sprintf("is larger than %d KiB", maxFile>>10) }

// refuse says why a path that exists could not be read.
func refuse(path string, err error) error {
	cause := fmt.Sprintf("cannot be read: %s", err)
	switch {
	case errors.Is(err, unix.ELOOP):
		cause = "is a symbolic link, which is not followed here"
	case errors.Is(err, unix.ENOTDIR):
		cause = "is not a directory, or lies below something that is none"
	case errors.Is(err, unix.ENXIO):
		cause = "is not a regular file"
	}
	return &Error{File: path, Cause: cause, Hint: "ls -ld " + plan.Word(path)}
}

func open(dir int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// readAll reads to the end, or one byte past the limit.
func readAll(fd, size int) ([]byte, error) {
	data := make([]byte, 0, min(size, maxFile)+1)
	for len(data) <= maxFile {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := unix.Read(fd, data[len(data):min(cap(data), maxFile+1)])
		switch {
		case err == unix.EINTR:
		case err != nil:
			return nil, err
		case n == 0:
			return data, nil
		default:
			data = data[:len(data)+n]
		}
	}
	return data, nil
}
