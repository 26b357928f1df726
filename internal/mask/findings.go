package mask

import (
	"cmp"
	"slices"
	"strings"

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
	pins    []plan.Pinned
	dirs    int
	files   int
	read    int

	places       []string // directories that were searched, below the root
	repositories []string // those with a .git
	settings     []string // what Guarded knows by name

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
	f.places = append(f.places, o.places...)
	f.repositories = append(f.repositories, o.repositories...)
	f.settings = append(f.settings, o.settings...)
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

// tree sorts the directories by their depth.
func (f *findings) tree() Tree {
	for _, list := range [...][]string{f.places, f.repositories, f.settings} {
		slices.SortFunc(list, CompareDepth)
	}
	return Tree{f.places, f.repositories, f.settings}
}

// CompareDepth orders paths as those of a Tree are.
func CompareDepth(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "": // the root, which has no less slashes than what lies in it
		return -1
	case b == "":
		return 1
	}
	return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b))
}

// hides reports whether path is a hit. They must be sorted.
func (f *findings) hides(path string) bool {
	_, found := slices.BinarySearchFunc(f.hits, path, func(h hit, path string) int { return plan.ComparePaths(h.Path, path) })
	return found
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
