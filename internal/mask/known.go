package mask

import (
	"cmp"
	"strings"

	"jail/internal/sandbox/plan"
)

// A known is something that was hidden once. A command that runs inside can move
// the directories around it to where nobody looks, or to where an exception opens
// them, and wait for the next run; it can do nothing to the thing itself, which is
// a mount point. So that is known by what it is and not by its path.
type known struct {
	id     plan.ID
	typ    plan.Type
	born   int64  // inode numbers are used again; 0 where the file system does not say
	by     *line  // what hid it
	origin string // where it was hidden first, below the top
	path   string // where it was last
	day    int64  // since 1970, on which it was last looked after, to a week

	tracked bool // by git, when that was asked

	rule int // today's number of by; none, or asleep
}

// A line is a pattern as somebody wrote it. The empty one is what hides a
// directory that is closed to its owner.
type line struct {
	text, base, layer string
	action            plan.Action
}

// lineOf returns the line of a pattern. Its directory is relative to the top where
// it lies below that, so that all may move together; "./" is the top itself.
func lineOf(p *plan.Pattern, top string) line {
	base := p.Base
	if base != "" && plan.Below(base, top) {
		base = "./" + relative(base, top)
	}
	return line{p.Text, base, p.Reason.Layer, p.Action}
}

// asleep is the rule of what a pattern hid that does not hold today: another
// command's own, or one that somebody took back. It hides nothing now, and it is
// not forgotten at once.
const asleep = -2

// How long what sleeps is remembered, and how old the day of what does not may get
// before it is worth writing.
const (
	forgetAfter = 90
	renewAfter  = 7
)

// is reports whether st was said of k.
func (k *known) is(st *stat) bool {
	return k.id == st.id && k.typ == st.typ && (k.born == st.born || k.born == 0 || st.born == 0)
}

func (k *known) isHit(h *hit) bool {
	return k.id == h.ID && k.typ == h.Type && (k.born == h.born || k.born == 0 || h.born == 0)
}

// same reports whether o is k, at the same place.
func (k known) same(o known) bool {
	return k.id == o.id && k.typ == o.typ && k.born == o.born && k.path == o.path && k.origin == o.origin && *k.by == *o.by
}

// wake finds today's rules for the lines that hid things. Where a line is gone and
// another one says the same of the place where it hid something, that one counts:
// people reword patterns, and versions of jail do.
func (a *account) wake(list []known) {
	for i := range list {
		k := &list[i]
		if i > 0 && k.by == list[i-1].by && list[i-1].rule != asleep {
			k.rule = list[i-1].rule
			continue
		}
		k.rule = a.rules.ruleOf(k.by, a.top.path)
		if origin, inside := a.local(k.origin); k.rule == asleep && inside {
			if r := a.verdictAt(origin, k.typ); r != none && !a.rules.rules[r].Except {
				k.rule = r
			}
		}
	}
}

func (s *ruleset) ruleOf(l *line, top string) int {
	if *l == (line{}) {
		return none
	}
	for i := len(s.rules) - 1; i >= 0; i-- {
		if r := &s.rules[i]; !r.Except && lineOf(&r.Pattern, top) == *l {
			return i
		}
	}
	return asleep
}

func (k *known) compare(o *known) int {
	return cmp.Or(
		plan.ComparePaths(k.path, o.path), cmp.Compare(k.id.Dev, o.id.Dev), cmp.Compare(k.id.Ino, o.id.Ino),
		strings.Compare(string(k.typ), string(o.typ)), cmp.Compare(k.born, o.born),
		strings.Compare(k.by.text, o.by.text), strings.Compare(k.by.base, o.by.base),
		strings.Compare(k.by.layer, o.by.layer), strings.Compare(string(k.by.action), string(o.by.action)),
		strings.Compare(k.origin, o.origin), cmp.Compare(k.day, o.day),
	)
}

// excepts reports whether somebody opened k, which stands at path below the root
// and is not hidden there. An exception holds for what stood at its path before: not for
// what was hidden elsewhere and moved there since. So it must name the place where
// k was hidden first, as well.
//
// A thing that was never hidden is not known, and an exception opens it at once:
// editors save by putting a new file in the old one's place.
func (a *account) excepts(k *known, path string) bool {
	origin, inside := a.local(k.origin)
	if k.rule == none || !inside {
		return false
	}
	if path == origin && a.excused[a.abs(path)] {
		return true
	}
	kind := isFile
	switch k.typ {
	case plan.Directory:
		kind = isDir
	case plan.Symlink:
		kind = isLink
	}
	// What was hidden with the directory around it, or through a link, is opened by
	// its path and not by its name alone, as in the walk.
	direct := a.rules.matchesPath(k.rule, origin, kind)
	for i := k.rule + 1; i < len(a.rules.rules); i++ {
		r := &a.rules.rules[i]
		if r.Except && r.Action == a.rules.rules[k.rule].Action && (r.anchored || direct) && a.rules.matchesPath(i, path, kind) && a.rules.matchesPath(i, origin, kind) {
			return true
		}
	}
	return false
}

// matchesPath reports whether rule i matches a path below the root.
func (s *ruleset) matchesPath(i int, path string, kind entryKind) bool {
	r := &s.rules[i]
	if !r.fits(kind) {
		return false
	}
	parent, name := split(path)
	folded := fold(nil, []byte(name))
	if !r.anchored {
		return r.parts[0].match(folded)
	}
	in := s.at(parent)
	for _, st := range in.leaves {
		if st.rule == i && s.part(st).match(folded) {
			return true
		}
	}
	return false
}
