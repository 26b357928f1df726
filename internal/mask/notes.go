package mask

import (
	"fmt"
	"slices"

	"jail/internal/sandbox/plan"
)

// result says what was found, in plain data.
func (s *search) result() Result {
	f := &s.walk.hidden
	r := Result{
		Open: f.open, Pins: f.pins, Notes: s.notes, Tree: f.tree(),
		Dirs: f.dirs, Files: f.files, Read: s.read,
	}
	if s.found == nil {
		s.found = &account{}
	}
	r.Sought = s.found.sought
	for _, h := range f.hits {
		r.Hits = append(r.Hits, h.Hit)
	}
	if tracked := s.found.tracked(); len(tracked) > 0 {
		r.Hits = forGit(r.Hits, tracked)
	}
	return r
}

// note collects what somebody should be told, whether or not that was done before.
func (s *search) note() {
	w := s.walk
	f := &w.hidden
	if f.skipped > 0 {
		s.say(fmt.Sprintf("directories that you may not read were not searched: %d, %q first", f.skipped, f.example), "")
	}
	others := pathsOf(f.hits, func(h *hit) bool { a, found := w.rest[h.ID]; return found && a.path == h.Path })
	if len(others) > 0 {
		s.say(fmt.Sprintf("%s another name that was not found, and can be read by that", have(others)), findHint(w.path, others[0]))
	}
	if s.found == nil {
		return
	}
	s.noteStaying()
	s.noteTracked()
	if shut := s.found.shut; len(shut) > 0 {
		path := s.found.topAbs(shut[0].path)
		s.stricter(fmt.Sprintf("%q is denied: something that was hidden before is missing, and this cannot be searched for it", path), "chmod u+rx "+plan.Word(path))
	}
	if s.top.ledger.broken {
		s.say("what was hidden here before cannot be read again: what a command has moved since is not known by what it was", "")
	}
}

// noteStaying says what is hidden only because it was hidden before: somebody moved
// it, and if that was the reader, its own name says no longer why it is empty. There
// is no hint: what makes it readable again must come from whoever moved it.
func (s *search) noteStaying() {
	hits := s.walk.hidden.hits
	staying := pathsOf(hits, func(h *hit) bool { return h.was != "" })
	if len(staying) == 0 {
		return
	}
	i := slices.IndexFunc(hits, func(h hit) bool { return h.was != "" })
	text := fmt.Sprintf("%q stays hidden, because it was hidden before", staying[0])
	if was := hits[i].was; was != staying[0] {
		text = fmt.Sprintf("%q stays hidden, because it was hidden as %q before", staying[0], was)
	}
	if n := len(staying) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more like it", n)
	}
	s.stricter(text, "")
}

// noteTracked says that the history shows what is hidden.
func (s *search) noteTracked() {
	tracked := s.found.tracked()
	if len(tracked) == 0 {
		return
	}
	paths := pathsOf(s.walk.hidden.hits, func(h *hit) bool { return tracked[h.Path] })
	if len(paths) == 0 {
		return
	}
	text := fmt.Sprintf("%q is hidden, but git tracks it: its history shows what was in it", paths[0])
	if n := len(paths) - 1; n > 0 {
		text += fmt.Sprintf(", and that of %d more", n)
	}
	s.say(text, "git rm --cached "+plan.Word(paths[0]))
}

func (s *search) say(text, hint string) {
	s.notes = append(s.notes, plan.Note{Text: text, Hint: hint, Reason: plan.Reason{Layer: "project"}})
}

// stricter is say for what takes something from the command and gives it nothing.
func (s *search) stricter(text, hint string) {
	s.say(text, hint)
	s.notes[len(s.notes)-1].Stricter = true
}

// pathsOf returns the paths of some hits.
func pathsOf(hits []hit, which func(*hit) bool) (paths []string) {
	for i := range hits {
		if which(&hits[i]) {
			paths = append(paths, hits[i].Path)
		}
	}
	return paths
}

// have is the beginning of a sentence about paths.
func have(paths []string) string {
	if n := len(paths) - 1; n > 0 {
		return fmt.Sprintf("%q and %d more have", paths[0], n)
	}
	return fmt.Sprintf("%q has", paths[0])
}

// maxSayings bounds what is kept of notices; the newest stay.
const maxSayings = 64

// sayings marks the notes that were printed before, and returns those that are when
// this launch is done. What was not true for long is told again.
func (s *search) sayings() []saying {
	said := make(map[uint64]int64, len(s.top.ledger.said))
	for _, o := range s.top.ledger.said {
		if s.today()-o.day <= forgetAfter {
			said[o.hash] = o.day
		}
	}
	for i := range s.notes {
		n := &s.notes[i]
		hash := hashOf(n.Text)
		day, found := said[hash]
		if n.Said = found; s.Quiet && !found {
			continue
		}
		if age := s.today() - day; !found || age > renewAfter || age < 0 {
			said[hash] = s.today()
		}
	}
	list := make([]saying, 0, len(said))
	for hash, day := range said {
		list = append(list, saying{hash, day})
	}
	slices.SortFunc(list, func(a, b saying) int { return a.compare(b) })
	return list[:min(len(list), maxSayings)]
}

// findHint is a command that lists all names of a file below a directory.
func findHint(dir, path string) string {
	return "find " + plan.Word(dir) + " -samefile " + plan.Word(path)
}

// changing is a command that lists what has just changed in dir.
func changing(dir string) string { return "find " + plan.Word(dir) + " -mmin -1" }
