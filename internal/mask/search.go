package mask

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/memory"
	"jail/internal/sandbox/plan"
)

// Walk searches root, a physical and absolute path, for what patterns hide. It
// returns ErrMoved if root is not the directory that rootID names, unless that is
// zero.
//
// What m remembers spares most of the work where little has changed, and finds
// what was hidden once wherever a command has moved it since. Without it, the
// result is that of the first launch in this project.
func Walk(root string, rootID plan.ID, patterns []plan.Pattern, m memory.Memory) (Result, error) {
	return walkAt(time.Now(), root, rootID, patterns, m)
}

func walkAt(now time.Time, root string, rootID plan.ID, patterns []plan.Pattern, m memory.Memory) (Result, error) {
	rules, err := newRuleset(root, patterns)
	if err != nil {
		return Result{}, fmt.Errorf("read the patterns: %w", err)
	}
	f, err := openRoot(root, rootID)
	if err != nil {
		return Result{}, err
	}
	defer unix.Close(f)
	for try := 1; ; try++ {
		s, err := newSearch(now, root, f, rules, m)
		if err != nil {
			return Result{}, err
		}
		if err := s.run(); err != nil {
			return Result{}, fmt.Errorf("search %q: %w", root, err)
		}
		// Another launch may have hidden something meanwhile, whose command is at work
		// already: start over from what that one remembers.
		if try < 3 && s.overtaken() {
			continue
		}
		s.keep()
		return s.result(), nil
	}
}

// A search is all that a Walk does: a pass through the tree, a second one if
// something must be looked for by its inode, and what both mean for the next
// launch.
type search struct {
	memory.Memory
	now    time.Time
	root   string
	fd     int
	id     plan.ID // of the root
	rules  *ruleset
	text   []byte // what was recalled
	book   book
	walk   *walk // the last pass
	found  *account
	seek   []uint64 // the inodes that the records of this pass point out, sorted
	read   int      // directories, in all passes
	unsure bool     // something that is missing may have moved while it was looked for
	unkept bool     // what is hidden now will not be known by the next launch
}

func newSearch(now time.Time, root string, f int, rules *ruleset, m memory.Memory) (*search, error) {
	s := &search{Memory: m, now: now, root: root, fd: f, rules: rules}
	if m.Recall == nil {
		return s, nil
	}
	var st stat
	if err := statOf(f, &st); err != nil {
		return nil, fmt.Errorf("look at %q: %w", root, err)
	}
	s.id = st.id
	s.text = m.Recall()
	s.book = s.open(s.text)
	rules.wake(s.book.known)
	return s, nil
}

func (s *search) euid() uint32 { return uint32(unix.Geteuid()) }

func (s *search) today() int64 { return s.now.Unix() / (24 * 60 * 60) }

// run makes one pass, and another one through everything if something is missing.
// That one is made again if something moved meanwhile, since it could have been
// that.
func (s *search) run() error {
	if err := s.pass(s.book.tree, s.book.seek, false); err != nil {
		return err
	}
	for try := 0; try < 3 && s.missing(); try++ {
		seek := slices.Clone(s.walk.asked)
		for _, k := range s.found.lost {
			seek = append(seek, k.id.Ino)
		}
		if err := s.pass(saved{}, seek, len(s.found.lost) > 0); err != nil {
			return err
		}
	}
	return s.finish()
}

// missing reports whether something must be looked for by its inode, and was not,
// or could have slipped through.
func (s *search) missing() bool {
	unsought := func(i uint64) bool { return !s.walk.inodes[i] }
	if slices.ContainsFunc(s.walk.asked, unsought) {
		return true
	}
	s.unsure = len(s.found.lost) > 0 && !(s.walk.everywhere && s.walk.still())
	return s.unsure
}

// pass reads the tree, less what tree remembers, and notes what has one of these
// inodes.
func (s *search) pass(tree saved, seek []uint64, everywhere bool) error {
	w := newWalk(s.root, s.fd, s.rules)
	w.before, w.everywhere = s.now.UnixNano()-settles, everywhere
	w.keeping, w.old, w.dev = s.Recall != nil, tree, s.id.Dev
	if len(seek) > 0 {
		w.inodes = map[uint64]bool{}
		for _, i := range seek {
			w.inodes[i] = true
		}
	}
	if err := w.run(); err != nil {
		return err
	}
	s.walk = w
	s.read += w.hidden.read
	if err := w.hideNames(); err != nil {
		return err
	}
	var err error
	if s.found, err = w.account(s.book.known, s.today()); err != nil {
		return err
	}
	if err := w.hideNames(); err != nil { // of what only its past hides
		return err
	}
	slices.Sort(w.asked)
	w.asked = slices.Compact(w.asked)
	return nil
}

// hideNames hides other names of hidden files, as far as this pass looked for them.
func (w *walk) hideNames() error {
	h := &w.hidden
	more := h.missing()
	for id := range more {
		w.asked = append(w.asked, id.Ino)
	}
	for _, n := range h.names {
		if a, found := more[n.st.id]; found && !n.excepted && n.st.typ == plan.Regular {
			if err := w.hit(h, n.path, &n.st, a.rule, fmt.Sprintf("another name of %q", a.path)); err != nil {
				return err
			}
		}
	}
	w.rest = h.missing()
	return nil
}

// lostFor is for how many launches that could not be sure a thing is looked for
// everywhere before it counts as gone: under somebody who writes all the time,
// none is.
const lostFor = 3

// finish forgets what is nowhere any more. It hides directories that nobody could
// look into, as long as it may be there.
func (s *search) finish() error {
	h := &s.walk.hidden
	for _, k := range s.found.lost {
		for _, n := range h.shut {
			if err := s.walk.hit(h, n.path, &n.st, none, "something that was hidden before may lie in it, and it cannot be searched"); err != nil {
				return err
			}
		}
		switch {
		case len(h.shut) > 0:
			s.found.next = append(s.found.next, k)
		case s.unsure && k.lost < lostFor-1:
			k.lost++
			s.found.next = append(s.found.next, k)
		}
	}
	h.sort()
	s.found.add(s.book.known)
	// The records know of more inodes, perhaps, but those are of no use again.
	s.seek = slices.DeleteFunc(s.walk.asked, func(i uint64) bool { return !s.walk.inodes[i] })
	return nil
}

// still reports whether every directory is what it was when it was read. Then all
// that was read was so at one moment, and what was not found is not there.
func (w *walk) still() bool {
	var st stat
	for _, v := range w.hidden.visited {
		if w.statPath(v.d.path(), &st) != nil || st.id != v.id || st.ctime != v.ctime {
			return false
		}
	}
	return true
}

// overtaken reports whether something new is to be kept, and somebody else kept
// something since.
func (s *search) overtaken() bool {
	return s.Recall != nil && s.Keep != nil && s.changed() && !bytes.Equal(s.Recall(), s.text)
}

func (s *search) changed() bool {
	return s.walk.top != nil || !slices.Equal(s.seek, s.book.seek) || !slices.Equal(s.found.next, s.book.known)
}

// keep writes down what the next launch needs, if that is news. A name that could
// not be kept is no matter; a thing that was hidden, and that the next launch will
// not know again, is one.
func (s *search) keep() {
	if s.Recall == nil || s.Keep == nil || !s.changed() {
		return
	}
	s.Keep(s.write())
	s.unkept = !slices.Equal(s.found.next, s.book.known) && bytes.Equal(s.Recall(), s.text)
}

func (s *search) result() Result {
	r := s.walk.result()
	r.Read = s.read
	note := func(text string) {
		r.Notes = append(r.Notes, plan.Note{Text: text, Reason: plan.Reason{Layer: "project"}})
	}
	if n := s.walk.hidden.shut; len(n) > 0 && len(s.found.lost) > 0 {
		path := s.walk.abs(n[0].path)
		hint := ""
		if plain(path) {
			hint = "chmod u+rx '" + path + "'"
		}
		r.Notes = append(r.Notes, plan.Note{
			Text:   fmt.Sprintf("%q is denied: something that was hidden before is missing, and this cannot be searched for it", path),
			Hint:   hint,
			Reason: plan.Reason{Layer: "project"},
		})
	}
	if s.book.broken {
		note("what was hidden here before cannot be read again: what a command has moved since is not known by what it was")
	}
	if s.unkept {
		note("what is hidden here cannot be written down: what a command moves is not known by what it was in the next run")
	}
	return r
}
