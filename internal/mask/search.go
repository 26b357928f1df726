package mask

import (
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/memory"
	"jail/internal/sandbox/plan"
)

// A Request says what to search, and what is remembered of it.
type Request struct {
	Root     string  // physical and absolute
	ID       plan.ID // of the root, as it was seen; zero for whatever it is
	Patterns []plan.Pattern

	// Shelf has what earlier walks left. It spares most of the work where little has
	// changed, and tells what was hidden once, wherever a command has moved it since.
	// Without one, the result is that of the first launch in this project.
	Shelf  memory.Shelf
	DryRun bool // write nothing
	Quiet  bool // nobody reads the notes
}

// Walk searches a project for what patterns hide. It returns ErrMoved if the root
// is not what it was.
func Walk(r Request) (Result, error) { return walkAt(time.Now(), r) }

// attempts is how often a walk is made when others write into the same ledger: a
// build that starts many commands at once.
const attempts = 10

func walkAt(now time.Time, r Request) (Result, error) {
	rules, err := newRuleset(r.Root, r.Patterns)
	if err != nil {
		return Result{}, fmt.Errorf("read the patterns: %w", err)
	}
	f, err := openRoot(r.Root, r.ID)
	if err != nil {
		return Result{}, err
	}
	defer unix.Close(f)
	for range attempts {
		s := search{Request: r, now: now, fd: f, rules: rules}
		done, err := s.run()
		if err != nil {
			return Result{}, err
		}
		if done {
			return s.result(), nil
		}
	}
	return Result{}, &plan.Refusal{
		Cause: fmt.Sprintf("what was hidden in %q is being written down by other launches all the time", r.Root),
		Hint:  "ps -ef",
	}
}

// A search is all that a Walk does: a pass through the tree, a second one if
// something must be looked for by its inode, what both mean for what was hidden
// once, and what to leave for the next launch.
type search struct {
	Request
	now     time.Time
	fd      int     // of the root
	id      plan.ID // the same
	rules   *ruleset
	top     top
	name    string // of the records
	key     string // of the section in them
	old     records
	walk    *walk // the last pass
	found   *account
	indexes []index  // of git, which were asked
	seek    []uint64 // the inodes that the records of this pass point out, sorted
	read    int      // directories, in all passes
	notes   []plan.Note
}

// run reports false if somebody else wrote down something meanwhile that this does
// not know of. Whose command may be at work already.
func (s *search) run() (done bool, err error) {
	var adopted []string
	if s.Shelf != nil {
		defer func() { s.top.close() }()
		if adopted, err = s.recall(); err != nil {
			return false, err
		}
	}
	if err := s.passes(); err != nil {
		return false, fmt.Errorf("search %q: %w", s.Root, err)
	}
	if s.Shelf == nil {
		s.note()
		return true, nil
	}
	if s.found, err = s.walk.account(&s.top, s.top.ledger.known, s.today()); err != nil {
		return false, err
	}
	s.track()
	s.note()
	return s.keep(adopted)
}

// recall reads what there is.
func (s *search) recall() (adopted []string, err error) {
	var st stat
	if err := statOf(s.fd, &st); err != nil {
		return nil, fmt.Errorf("look at %q: %w", s.Root, err)
	}
	s.id = st.id
	if err := s.findTop(&st); err != nil {
		return nil, err
	}
	if s.top.mark == (memory.Mark{}) {
		if adopted, err = s.adopt(); err != nil {
			return nil, err
		}
	}
	s.name, s.key = fileName(recordsKind, s.Root, &st), sectionKey(s.Root, s.euid(), s.rules.rules)
	text, _, err := s.Shelf.Read(s.name)
	if err == nil && text != nil { // or they are lost, and the tree is read
		s.old = readRecords(text, s.key, s.now.Unix())
	}
	return adopted, nil
}

func (s *search) euid() uint32 { return uint32(unix.Geteuid()) }

func (s *search) today() int64 { return s.now.Unix() / (24 * 60 * 60) }

// passes makes one pass, and another one if some hidden files have other names.
func (s *search) passes() error {
	if err := s.pass(s.old.tree, s.old.seek); err != nil {
		return err
	}
	if slices.ContainsFunc(s.walk.asked, func(i uint64) bool { return !s.walk.inodes[i] }) {
		if err := s.pass(saved{}, slices.Clone(s.walk.asked)); err != nil {
			return err
		}
	}
	// The records know of more inodes, perhaps, but those are of no use again.
	s.seek = slices.DeleteFunc(slices.Clone(s.walk.asked), func(i uint64) bool { return !s.walk.inodes[i] })
	return nil
}

// pass reads the tree, less what tree remembers, and notes what has one of these
// inodes.
func (s *search) pass(tree saved, seek []uint64) error {
	w := newWalk(s.Root, s.fd, s.rules)
	w.before = s.now.UnixNano() - settles
	w.keeping, w.old, w.dev = s.Shelf != nil, tree, s.id.Dev
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
	return w.hideNames()
}

// hideNames hides other names of hidden files, as far as this pass looked for them.
func (w *walk) hideNames() error {
	h := &w.hidden
	more := h.missing()
	for id := range more {
		w.asked = append(w.asked, id.Ino)
	}
	slices.Sort(w.asked)
	w.asked = slices.Compact(w.asked)
	before := findings{hits: h.hits} // sorted
	for _, n := range h.names {
		a, found := more[n.st.id]
		if !found || n.excepted || n.st.typ != plan.Regular || before.hides(w.abs(n.path)) {
			continue
		}
		if err := w.hit(h, n.path, &n.st, a.rule, fmt.Sprintf("another name of %q", a.path)); err != nil {
			return err
		}
	}
	w.rest = h.missing()
	return nil
}

// keep writes down what later launches need, where that is news. It reports false
// if the ledger is not the one that was read.
func (s *search) keep(adopted []string) (bool, error) {
	now := ledger{said: s.sayings(), index: s.indexes, known: s.found.next}
	if s.DryRun {
		return true, nil
	}
	if s.top.was == s.top.path && now.equal(&s.top.ledger) {
		if mark, err := s.Shelf.Mark(s.top.name); err != nil || mark != s.top.mark {
			return false, err
		}
	} else {
		text := now.text(s.top.path, s.top.id.Dev)
		if len(text) > maxFile {
			return false, &plan.Refusal{
				Cause: fmt.Sprintf("more is hidden in %q than can be written down", s.top.path),
				Hint:  "jail --dry-run true",
			}
		}
		switch swapped, err := s.Shelf.Swap(s.top.name, s.top.mark, text); {
		case err != nil && slices.EqualFunc(now.known, s.top.ledger.known, known.same):
			return true, nil // nothing that matters
		case err != nil:
			return false, fmt.Errorf("write down what is hidden: %w", err)
		case !swapped:
			return false, nil
		}
	}
	for _, name := range adopted {
		s.Shelf.Remove(name)
	}
	if s.top.mark == (memory.Mark{}) {
		s.sweep()
	}
	if s.walk.top != nil || !slices.Equal(s.seek, s.old.seek) {
		s.keepRecords()
	}
	return true, nil
}

// keepRecords is for speed alone: what cannot be written is read again.
func (s *search) keepRecords() {
	body := writeSection(s.seek, s.walk.top, s.walk.old, s.id.Dev)
	if text := s.old.text(s.Root, s.key, s.now.Unix(), body); text != nil {
		_ = s.Shelf.Write(s.name, text)
	}
}
