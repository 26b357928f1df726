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
	links uint64 // names that a regular file has in all
}

// Findings are what one worker found, and then what all did.
type findings struct {
	hits    []hit
	open    []plan.Open
	pins    []plan.Pinned
	dirs    int
	files   int
	skipped int    // directories that stay unread
	example string // the first of them by path
}

func (f *findings) acquit(path, pattern, why string) {
	f.open = append(f.open, plan.Open{Path: path, Pattern: pattern, Why: why})
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
	f.dirs += o.dirs
	f.files += o.files
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
	return r
}

// findHint is a command that lists all names of a file below a directory. A path
// with a quote, or with what a terminal would take for more than text, gets none:
// whoever made it chose it for the one who pastes.
func findHint(dir, path string) string {
	odd := func(r rune) bool { return r == '\'' || r == unicode.ReplacementChar || !unicode.IsPrint(r) }
	if strings.ContainsFunc(dir+path, odd) {
		return ""
	}
	return "find '" + dir + "' -samefile '" + path + "'"
}
