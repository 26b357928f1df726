package mask

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"jail/internal/sandbox/plan"
)

// A hit is a plan.Hit and what only this package needs to know of it.
type hit struct {
	plan.Hit
	rule  int
	by    int    // rule, or the later one that hides the directory around it but for parts
	links uint64 // names that a regular file has in all
	born  int64  // see stat
	known bool   // it was hidden before
	was   string // where that was first, if nothing else hides it here
}

// A visit is what a directory was when it was read.
type visit struct {
	d     *dir
	id    plan.ID
	ctime int64
}

// A namesake is a path whose inode is one that is looked for.
type namesake struct {
	path     string // below the root
	st       stat
	excepted bool // somebody opened it by name
}

// Findings are what one worker found, and then what all did.
type findings struct {
	hits    []hit
	open    []plan.Open
	opened  []string // what its content acquitted
	parted  []string // directories that are hidden but for what an exception names
	excused []string // what an exception named
	names   []namesake
	shut    []namesake // directories that are closed to their owner, where only inodes are looked for
	visited []visit
	pins    []plan.Pinned
	dirs    int
	files   int
	read    int
	skipped int    // directories that stay unread
	example string // the first of them by path
}

func (f *findings) acquit(path, pattern, why string) {
	f.open = append(f.open, plan.Open{Path: path, Pattern: pattern, Why: why})
	f.opened = append(f.opened, path)
}

// excuse is acquit, where somebody's exception does it.
func (f *findings) excuse(path, pattern, why string) {
	f.open = append(f.open, plan.Open{Path: path, Pattern: pattern, Why: why})
	f.excused = append(f.excused, path)
}

func (f *findings) skip(path string) {
	if f.skipped == 0 || plan.ComparePaths(path, f.example) < 0 {
		f.example = path
	}
	f.skipped++
}

func (f *findings) merge(o *findings) {
	f.hits = append(f.hits, o.hits...)
	f.open = append(f.open, o.open...)
	f.pins = append(f.pins, o.pins...)
	f.opened = append(f.opened, o.opened...)
	f.parted = append(f.parted, o.parted...)
	f.excused = append(f.excused, o.excused...)
	f.names = append(f.names, o.names...)
	f.shut = append(f.shut, o.shut...)
	f.visited = append(f.visited, o.visited...)
	f.dirs += o.dirs
	f.files += o.files
	f.read += o.read
	if o.skipped > 0 {
		f.skip(o.example)
		f.skipped += o.skipped - 1
	}
}

// sort brings the findings into the order of their paths, whoever came first, and
// drops what is said twice or lies in a hidden directory. Of two rules for one
// path the later counts.
func (f *findings) sort() {
	slices.SortFunc(f.hits, func(a, b hit) int {
		if c := plan.ComparePaths(a.Path, b.Path); c != 0 {
			return c
		}
		if c := cmp.Compare(b.rule, a.rule); c != 0 {
			return c
		}
		return strings.Compare(a.Reason.Text, b.Reason.Text)
	})
	kept := f.hits[:0]
	for _, h := range f.hits {
		if n := len(kept); n > 0 && (kept[n-1].Path == h.Path || kept[n-1].Type == plan.Directory && plan.Below(h.Path, kept[n-1].Path)) {
			continue
		}
		kept = append(kept, h)
	}
	f.hits = kept
	slices.SortFunc(f.open, func(a, b plan.Open) int {
		if c := plan.ComparePaths(a.Path, b.Path); c != 0 {
			return c
		}
		return cmp.Or(strings.Compare(a.Pattern, b.Pattern), strings.Compare(a.Why, b.Why))
	})
	f.open = slices.Compact(f.open)
	f.sortPins()
}

// sortPins leaves one pin for each path, the read-only one of two.
func (f *findings) sortPins() {
	slices.SortStableFunc(f.pins, func(a, b plan.Pinned) int {
		if c := plan.ComparePaths(a.Source.Path, b.Source.Path); c != 0 || a.ReadOnly == b.ReadOnly {
			return c
		}
		if a.ReadOnly {
			return -1
		}
		return 1
	})
	f.pins = slices.CompactFunc(f.pins, func(a, b plan.Pinned) bool { return a.Source.Path == b.Source.Path })
}

// An alias says which hidden file an inode belongs to.
type alias struct {
	path string
	rule int
}

// missing returns the hidden files that have more names than were hidden.
func (f *findings) missing() map[plan.ID]alias {
	f.sort()
	var names map[plan.ID]uint64
	for _, h := range f.hits {
		if h.links > 1 {
			if names == nil {
				names = map[plan.ID]uint64{}
			}
			names[h.ID]++
		}
	}
	more := map[plan.ID]alias{}
	for _, h := range f.hits {
		if _, known := more[h.ID]; !known && h.links > 1 && names[h.ID] < h.links {
			more[h.ID] = alias{h.Path, h.rule}
		}
	}
	return more
}

// result says what was found, in plain data.
func (w *walk) result() Result {
	f := &w.hidden
	r := Result{Open: f.open, Pins: f.pins, Dirs: f.dirs, Files: f.files}
	for _, h := range f.hits {
		r.Hits = append(r.Hits, h.Hit)
	}
	note := func(text, hint string) {
		r.Notes = append(r.Notes, plan.Note{Text: text, Hint: hint, Reason: plan.Reason{Layer: "project"}})
	}
	if f.skipped > 0 {
		note(fmt.Sprintf("directories that you may not read were not searched: %d, %q first", f.skipped, f.example), "")
	}
	for _, h := range f.hits {
		if a, found := w.rest[h.ID]; found && a.path == h.Path {
			note(fmt.Sprintf("%q has another name that was not found, and stays readable by it", h.Path),
				findHint(w.path, h.Path))
		}
	}
	if text, hint := f.staying(w); text != "" {
		note(text, hint)
	}
	return r
}

// staying says what is hidden only because it was hidden before. That is a thing
// to be told: somebody moved it, and if that was the reader, its own name says no
// longer why it is empty.
func (f *findings) staying(w *walk) (text, hint string) {
	var first *hit
	more := 0
	for i := range f.hits {
		switch h := &f.hits[i]; {
		case h.was == "":
		case first == nil:
			first = h
		default:
			more++
		}
	}
	if first == nil {
		return "", ""
	}
	text = fmt.Sprintf("%q stays hidden, because it was hidden before", first.Path)
	if was := w.abs(first.was); was != first.Path {
		text = fmt.Sprintf("%q stays hidden, because it was hidden as %q before", first.Path, was)
	}
	if more > 0 {
		text += fmt.Sprintf(", and %d more like it", more)
	}
	if slices.Contains(f.excused, first.Path) && first.Type == plan.Regular {
		// The exception is the user's, and a new file was never hidden.
		hint = renewHint(first.Path)
	}
	return text, hint
}

// findHint is a command that lists all names of a file below a directory. A path
// with a quote, or with what a terminal would take for more than text, gets none:
// whoever made it chose it for the one who pastes.
func findHint(dir, path string) string {
	if !plain(dir + path) {
		return ""
	}
	return "find '" + dir + "' -samefile '" + path + "'"
}

// renewHint is a command that puts a copy of a file in its place.
func renewHint(path string) string {
	if !plain(path) {
		return ""
	}
	return "cp -p '" + path + "' '" + path + ".new' && mv '" + path + ".new' '" + path + "'"
}

func plain(path string) bool {
	odd := func(r rune) bool { return r == '\'' || r == unicode.ReplacementChar || !unicode.IsPrint(r) }
	return !strings.ContainsFunc(path, odd)
}
