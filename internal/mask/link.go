package mask

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A target is where a link leads, as the kernel follows it here and now: through
// other links, out of the project and back in.
type target struct {
	fd     int // O_PATH; -1 where it leads nowhere
	st     stat
	typ    plan.Type
	inside bool   // it lies in the project
	path   string // below the root, free of links
}

// below reports whether the target lies in the project and d does not lie in it.
// A link to a directory above itself must not hide that: it would hide the work.
func (t *target) below(d *dir) bool {
	return t.inside && t.path != "" && !plan.Below("/"+d.path(), "/"+t.path)
}

// follow finds out where the entry's link leads. The walk itself goes nowhere: a
// descriptor with O_PATH neither reads nor waits.
func (l *lookup) follow() (*target, error) {
	if l.followed {
		return &l.target, nil
	}
	t, err := l.resolve(l.f, l.e.name, 0)
	l.followed, l.target = err == nil, t
	return &l.target, err
}

func (l *lookup) close() {
	if l.followed && l.target.fd >= 0 {
		unix.Close(l.target.fd)
	}
}

// resolve opens what a path leads to and says where that is.
func (w *walk) resolve(f int, path string, flags int) (target, error) {
	t := target{fd: -1}
	fd, err := openat(f, path, unix.O_PATH|unix.O_CLOEXEC|flags)
	switch {
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE), errors.Is(err, unix.ENOMEM):
		return t, fmt.Errorf("follow the link %q: %w", path, err)
	case err != nil:
		return t, nil // nowhere, or where the caller may not go
	}
	if err := statOf(fd, &t.st); err != nil {
		unix.Close(fd)
		return t, nil
	}
	// The kernel's own name for it is the one that the launch opens, component by
	// component and through no link, and compares with the inode seen here.
	name, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	if err != nil {
		unix.Close(fd)
		return t, fmt.Errorf("name what the link %q leads to: %w", path, err)
	}
	t.fd, t.typ = fd, t.st.typ
	if plan.Below(name, w.path) {
		t.path = relative(name, w.path)
		t.inside = w.isAt(t.path, t.st.id)
	}
	return t, nil
}

// isAt reports whether a path below the root names this inode. It does not where
// the file was removed meanwhile, or another mount covers it.
func (w *walk) isAt(path string, id plan.ID) bool {
	if path == "" {
		return true
	}
	var st stat
	return statBelow(w.root, path, &st) == nil && st.id == id
}

// through hides what a rule names by a path that goes through this link: current
// in current/config.yml. The walk does not come that way.
func (l *lookup) through() error {
	folded := fold(nil, []byte(l.e.name))
	for _, st := range l.d.states.inner {
		r := &l.rules.rules[st.rule]
		if !r.outright || r.Except || !l.rules.part(st).match(folded) {
			continue
		}
		path := l.e.name + "/" + strings.Join(r.names[st.next+1:], "/")
		for _, flags := range [...]int{unix.O_NOFOLLOW, 0} {
			if err := l.hideThrough(st.rule, path, flags); err != nil {
				return err
			}
		}
	}
	return nil
}

// hideThrough hides what path, which goes through links, leads to. With
// O_NOFOLLOW that is the last link on the way, without it what lies behind it.
func (l *lookup) hideThrough(rule int, path string, flags int) error {
	t, err := l.resolve(l.f, path, flags)
	if err != nil || t.fd < 0 {
		return err
	}
	unix.Close(t.fd)
	if !t.below(l.d) || l.rules.rules[rule].dirOnly && t.typ != plan.Directory {
		return nil
	}
	return l.hideTarget(rule, &t)
}
