package detect

import (
	"errors"
	"io/fs"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A NotFoundError means that no directory of PATH has the program: status 127.
type NotFoundError struct{ Name string }

func (e *NotFoundError) Error() string { return e.Name + ": command not found" }

// Is makes a missing program fs.ErrNotExist.
func (e *NotFoundError) Is(target error) bool { return target == fs.ErrNotExist }

// A NotExecutableError means that the program is there and cannot be run: status
// 126.
type NotExecutableError struct {
	Path  string
	Cause error
}

func (e *NotExecutableError) Error() string { return e.Path + ": " + e.Cause.Error() }

func (e *NotExecutableError) Unwrap() error { return e.Cause }

var errShim = errors.New("this is one of jail's own shims")

// errUnseen is for a directory that may not be searched: su leaves root's on PATH.
// Shells go on and say "not found" in the end, and so do we; nobody knows whether
// there is anything.
var errUnseen error = unseenError{}

type unseenError struct{}

func (unseenError) Error() string { return unix.EACCES.Error() }

func (unseenError) Unwrap() error { return unix.EACCES }

// Lookup finds the program that execvp(3) would run for name, as if the farms
// were not on PATH. The path is absolute and not resolved: it is what the program
// must see as its own name, or a virtual environment does not know itself.
//
// A farm is known by what it is, not by how it is spelled, because /x//shims,
// /x/./shims and a link to it are the same directory; farms may hold the IDs of
// the shims themselves as well. A name with a slash is not searched for.
//
// An empty or relative entry of PATH means a directory below cwd, as it does for
// every shell; what may be done with a program from there is not decided here. An
// empty pathVar is one empty entry.
//
// It costs one fstatat for each directory that does not have the program.
func Lookup(name, pathVar, cwd string, farms []plan.ID) (string, error) {
	if name == "" {
		return "", &NotFoundError{Name: name}
	}
	if strings.Contains(name, "/") {
		return lookupPath(name, cwd, farms)
	}
	var denied *NotExecutableError
	for rest, more := pathVar, true; more; {
		var dir string
		dir, rest, more = strings.Cut(rest, ":")
		dir = absolute(dir, cwd)
		path := join(strings.TrimSuffix(dir, "/"), name)
		err := mayRun(path, dir, farms)
		switch {
		case err == nil:
			return path, nil
		case err == errShim || isAbsent(err) || err == errUnseen:
		case denied == nil:
			denied = &NotExecutableError{Path: path, Cause: err}
		}
	}
	if denied != nil {
		return "", denied
	}
	return "", &NotFoundError{Name: name}
}

// lookupPath is Lookup for a name with a slash in it.
func lookupPath(name, cwd string, farms []plan.ID) (string, error) {
	path := absolute(name, cwd)
	err := mayRun(path, path[:strings.LastIndexByte(path, '/')+1], farms)
	switch {
	case err == nil:
		return path, nil
	case isAbsent(err):
		return "", &NotFoundError{Name: name}
	}
	return "", &NotExecutableError{Path: path, Cause: err}
}

// mayRun is what execve(2) would say about path, which lies in dir. For a root
// caller access(2) says yes to any directory, and execve does not.
func mayRun(path, dir string, farms []plan.ID) error {
	var st unix.Stat_t
	switch err := unix.Fstatat(unix.AT_FDCWD, path, &st, 0); err {
	case nil:
	case unix.EACCES:
		return errUnseen
	default:
		return err
	}
	if len(farms) > 0 && (hasID(farms, &st) || isFarm(dir, farms)) {
		return errShim
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return unix.EACCES
	}
	return unix.Faccessat(unix.AT_FDCWD, path, unix.X_OK, 0)
}

func isFarm(dir string, farms []plan.ID) bool {
	var st unix.Stat_t
	return unix.Fstatat(unix.AT_FDCWD, dir, &st, 0) == nil && hasID(farms, &st)
}

func hasID(ids []plan.ID, st *unix.Stat_t) bool {
	for _, id := range ids {
		if id.Ino == st.Ino && id.Dev == st.Dev {
			return true
		}
	}
	return false
}

// isAbsent reports whether err means that the search goes on as if nothing had
// been there: the errors that execvp(3) passes over without remembering them.
func isAbsent(err error) bool {
	switch err {
	case unix.ENOENT, unix.ENOTDIR, unix.ESTALE, unix.ENODEV, unix.ETIMEDOUT:
		return true
	}
	return false
}

// absolute is path as seen from cwd. It does not clean: after a link, a/../b is
// not b.
func absolute(path, cwd string) string {
	if path == "" || path == "." {
		return cwd
	}
	if path[0] == '/' {
		return path
	}
	return join(cwd, strings.TrimPrefix(path, "./"))
}

// PathInside is the PATH that the command gets: the caller's, in its order and
// its spelling, less the farms, less empty and relative entries (the project could
// plant a program there), and less what visible says is not there inside.
//
// A directory that the caller names twice stays twice: PATH is the caller's, and
// tools that save and compare it must recognize it.
func PathInside(pathVar string, farms []plan.ID, visible func(dir string) bool) string {
	var out strings.Builder
	out.Grow(len(pathVar))
	for rest, more := pathVar, true; more; {
		var dir string
		dir, rest, more = strings.Cut(rest, ":")
		if dir == "" || dir[0] != '/' || !visible(dir) {
			continue
		}
		if len(farms) > 0 && isFarm(dir, farms) {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(':')
		}
		out.WriteString(dir)
	}
	return out.String()
}
