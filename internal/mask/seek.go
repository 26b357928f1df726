package mask

import (
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A seeker looks for inodes in a whole tree, dependency trees and git's own files
// included. It is started when something that was hidden is no longer where it
// was, and it must not miss it: whoever moved it may still be moving it about.
//
// So it can tell that something is nowhere. It reads every directory, and then
// looks at each again; if all are as they were when they were read, then all that
// was read was true at one moment. Those that have changed meanwhile are read again
// until they hold still together for that moment, with the rest unchanged before
// it and after it.
type seeker struct {
	top  int // the descriptor of the tree
	euid uint32
	want map[uint64]bool
	root *spot
	todo []*spot
	kept int // descriptors that spots hold open for their children
	buf  []byte
	fs   fileSystem
	path []byte
	dirs int // that were read
}

// A spot is a directory, as it was when it was read.
type spot struct {
	parent *spot
	name   string
	length int // of its path
	st     stat
	fresh  bool // it had just changed: a later change might not show
	shut   bool // its owner cannot look into it, and could open it
	off    bool // it is no longer in its parent
	subs   []*spot
	finds  []namesake // by their names alone

	fd   int // open while subs need it; otherwise -1
	need int
}

func newSeeker(top int, euid uint32) *seeker {
	return &seeker{top: top, euid: euid, want: map[uint64]bool{}, buf: make([]byte, bufferSize)}
}

// run looks everywhere, until enough says that all is found, or nothing can be
// anywhere else. It reports false if the tree does not hold still for that.
func (s *seeker) run(enough func() bool) (bool, error) {
	s.root = &spot{fd: -1}
	s.todo = append(s.todo, s.root)
	defer s.close()
	if err := s.drain(); err != nil || enough() {
		return err == nil, err
	}
	const patience = 3 * time.Second
	for start := time.Now(); time.Since(start) < patience; {
		still, err := s.settle()
		if err != nil || still || enough() {
			return err == nil, err
		}
	}
	return false, nil
}

// settle reports whether the tree is known as it was at one moment. If not, it has
// read again what changes.
func (s *seeker) settle() (bool, error) {
	moving := s.changed(nil)
	for range 8 {
		if len(moving) == 0 {
			return true, nil
		}
		still, err := s.reread(&moving)
		if err != nil || !still {
			return false, err
		}
		others := s.changed(moving)
		if len(others) == 0 {
			return true, nil
		}
		moving = append(moving, others...)
	}
	return false, nil
}

// clockTick is longer than the clock by which file systems stamp changes stands still.
const clockTick = 20 * time.Millisecond

// reread reads what moves until it holds still together for a moment. What is no
// longer in the tree moves no more.
func (s *seeker) reread(moving *[]*spot) (bool, error) {
	for try := range 50 {
		if try > 0 {
			time.Sleep(clockTick / 10)
		}
		*moving = slices.DeleteFunc(*moving, (*spot).gone)
		s.todo = append(s.todo, *moving...)
		before := s.dirs
		if err := s.drain(); err != nil {
			return false, err
		}
		if s.dirs > before+len(*moving) || slices.ContainsFunc(*moving, (*spot).gone) {
			continue // what is new was read after some of these
		}
		if !slices.ContainsFunc(*moving, func(sp *spot) bool { return s.differs(sp, s.pathOf(sp)) }) {
			return true, nil
		}
	}
	return false, nil
}

// gone reports whether sp is no longer in the tree.
func (sp *spot) gone() bool {
	for ; sp != nil; sp = sp.parent {
		if sp.off {
			return true
		}
	}
	return false
}

// changed returns the spots that are not what they were when they were read, less
// those in but.
func (s *seeker) changed(but []*spot) (out []*spot) {
	skip := make(map[*spot]bool, len(but))
	for _, sp := range but {
		skip[sp] = true
	}
	s.each(func(sp *spot, path []byte) {
		if !skip[sp] && s.differs(sp, path) {
			out = append(out, sp)
		}
	})
	return out
}

// differs reports whether sp has changed since it was read, or might have. Links
// on the way are followed: who finds the same directory there finds the same in it.
func (s *seeker) differs(sp *spot, path []byte) bool {
	if sp.fresh {
		return true
	}
	var st stat
	if len(path) == 0 {
		path = append(path, '.')
	}
	err := statBytes(s.top, append(path, 0), &st)
	if err == unix.ENAMETOOLONG {
		err = statBelow(s.top, string(path), &st)
	}
	return err != nil || st.id != sp.st.id || st.ctime != sp.st.ctime
}

// each visits all spots, parents first.
func (s *seeker) each(visit func(sp *spot, path []byte)) { s.root.each(nil, visit) }

func (sp *spot) each(path []byte, visit func(*spot, []byte)) {
	path = join(path, sp.name)
	visit(sp, path)
	for _, c := range sp.subs {
		c.each(path[:len(path):len(path)], visit)
	}
}

func (s *seeker) pathOf(sp *spot) []byte {
	s.path = sp.appendPath(s.path[:0])
	return s.path
}

func (sp *spot) appendPath(dst []byte) []byte {
	if sp.parent != nil {
		dst = sp.parent.appendPath(dst)
	}
	return join(dst, sp.name)
}

// found returns what has one of the inodes, by its path below the top.
func (s *seeker) found() (out []namesake) {
	s.each(func(sp *spot, path []byte) {
		if s.want[sp.st.id.Ino] && sp.parent != nil {
			out = append(out, namesake{path: string(path), st: sp.st})
		}
		for _, n := range sp.finds {
			out = append(out, namesake{path: string(join(path[:len(path):len(path)], n.path)), st: n.st})
		}
	})
	return out
}

// closed returns the directories that their owner, the caller, has closed to itself.
func (s *seeker) closed() (out []namesake) {
	s.each(func(sp *spot, path []byte) {
		if sp.shut {
			out = append(out, namesake{path: string(path), st: sp.st})
		}
	})
	return out
}

// drain reads what is to be read, and everything new below it.
func (s *seeker) drain() error {
	for len(s.todo) > 0 {
		sp := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		err := s.read(sp)
		s.leave(sp.parent)
		if err != nil {
			return fmt.Errorf("search %q for what was hidden: %w", s.pathOf(sp), err)
		}
	}
	return nil
}

// maxLength bounds the path of a directory. What lies deeper, nobody can name, and
// the work grows with its square.
const maxLength = 4 * unix.PathMax

func (s *seeker) read(sp *spot) error {
	old := sp.subs
	for _, c := range old {
		c.off = true
	}
	sp.subs, sp.finds, sp.shut, sp.need = nil, nil, false, 0
	s.dirs++
	if sp.length > maxLength {
		return unix.ENAMETOOLONG
	}
	f, err := s.open(sp)
	if err == nil {
		if err = s.names(sp, f, old); err == nil {
			s.keep(sp, f)
			return nil
		}
		unix.Close(f)
	}
	switch {
	case refused(err):
		return s.refused(sp)
	case gone(err): // its parent has changed, so it is read again
		return nil
	}
	return err
}

func (s *seeker) open(sp *spot) (int, error) {
	switch {
	case sp.parent == nil:
		return openat(s.top, ".", openDir)
	case sp.parent.fd >= 0:
		return openat(sp.parent.fd, sp.name, openDir)
	}
	return openBelow(s.top, string(s.pathOf(sp)), openDir)
}

// names reads the names in sp, whose descriptor is f.
func (s *seeker) names(sp *spot, f int, old []*spot) error {
	now := time.Now()
	if err := statOf(f, &sp.st); err != nil {
		return err
	}
	magic := s.fs.of(f, sp.st.id.Dev)
	sp.fresh = reliable(magic) && now.UnixNano()-sp.st.ctime < int64(clockTick)
	known := make(map[string]*spot, len(old))
	for _, c := range old {
		known[c.name] = c
	}
	exact := exactInodes(magic)
	for {
		buf, err := getdents(f, s.buf)
		if err != nil || len(buf) == 0 {
			return err
		}
		var e dirent
		more, err := buf.next(&e)
		for ; more && err == nil; more, err = buf.next(&e) {
			if err := s.name(sp, f, &e, exact, known); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
}

// name notes one name in sp. What could not be looked at makes sp unreadable.
func (s *seeker) name(sp *spot, f int, e *dirent, exact bool, known map[string]*spot) error {
	directory := e.typ == unix.DT_DIR
	old := known[string(e.name)]
	var st stat
	if e.typ == unix.DT_UNKNOWN || !directory && (!exact || s.want[e.ino]) || directory && old != nil {
		switch err := statAt(f, string(e.name), &st); {
		case err != nil && gone(err):
			return nil
		case err != nil:
			return err
		}
		directory = st.typ == plan.Directory
	}
	switch {
	case directory && old != nil && old.st.id == st.id:
		old.off = false
		sp.subs = append(sp.subs, old) // what is in it is looked at by itself
	case directory:
		c := &spot{parent: sp, name: string(e.name), length: sp.length + 1 + len(e.name), fd: -1}
		sp.subs = append(sp.subs, c)
		s.todo = append(s.todo, c)
		sp.need++
	case s.want[st.id.Ino]:
		sp.finds = append(sp.finds, namesake{path: string(e.name), st: st})
	}
	return nil
}

// refused notes a directory that cannot be read. One of somebody else's is as
// unreadable inside.
func (s *seeker) refused(sp *spot) error {
	err := statBelow(s.top, string(s.pathOf(sp)), &sp.st)
	switch {
	case err == nil:
		sp.shut = sp.st.uid == s.euid
		return nil
	case refused(err) && sp.parent != nil:
		return s.refused(sp.parent)
	case gone(err):
		return nil
	}
	return err
}

func (s *seeker) keep(sp *spot, f int) {
	if sp.need > 0 && s.kept < maxKept {
		s.kept++
		sp.fd = f
		return
	}
	sp.need = 0
	unix.Close(f)
}

// leave says that one more child of sp has been opened.
func (s *seeker) leave(sp *spot) {
	if sp == nil || sp.fd < 0 {
		return
	}
	if sp.need--; sp.need == 0 {
		unix.Close(sp.fd)
		sp.fd = -1
		s.kept--
	}
}

func (s *seeker) close() {
	s.each(func(sp *spot, _ []byte) {
		if sp.fd >= 0 {
			unix.Close(sp.fd)
			sp.fd = -1
		}
	})
}
