package launch

import (
	"errors"
	"fmt"
	"syscall"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// An Error says which step the kernel refused. No command ran.
type Error struct {
	Act    string // in words: "mount"
	Path   string // what it is about; may be empty
	Err    syscall.Errno
	Reason plan.Reason // who asked for it
	Exec   bool        // everything was ready, and execve was refused
	moved  bool
}

func (e *Error) Error() string {
	cause := e.Err.Error()
	if e.Err == changed {
		cause = "it changed while the jail was made"
	}
	s := fmt.Sprintf("cannot %s: %s", e.Act, cause)
	if e.Path != "" {
		s = fmt.Sprintf("cannot %s %q: %s", e.Act, e.Path, cause)
	}
	if e.Reason.Text != "" {
		s += " (" + e.Reason.Text + ")"
	}
	return s
}

// Unwrap gives the errno.
func (e *Error) Unwrap() error { return e.Err }

// Moved reports whether err means that a file was not any more what the plan was
// made for.
func Moved(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.moved
}

// failure makes an error of the message that a step was refused.
func (j *jail) failure(m message) error {
	e := &Error{Err: syscall.Errno(m.value)}
	switch m.step {
	case stepFork:
		e.Act = "start the command"
	case stepGroup:
		e.Act = "make a process group"
	case stepChdir:
		e.Act, e.Path = "enter", j.plan.Process.Cwd
	case stepExec:
		e.Act, e.Path, e.Exec = "execute", j.plan.Process.Path, true
	default:
		s := &j.program.steps[m.step]
		e.Act, e.Path = s.act, s.path
		if s.reason != nil {
			e.Reason = *s.reason
		}
		e.moved = moved(s, e.Err)
	}
	return e
}

// moved reports whether a refused step means that something moved: a comparison,
// or a path that was there in the plan and is gone or a link now.
func moved(s *step, e syscall.Errno) bool {
	if s.stat != nil {
		return true
	}
	opens := s.nr == unix.SYS_OPEN_TREE || s.nr == unix.SYS_OPENAT2
	return opens && (e == unix.ENOENT || e == unix.ELOOP || e == unix.ENOTDIR || e == unix.EXDEV)
}
