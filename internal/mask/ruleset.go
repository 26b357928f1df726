package mask

import (
	"fmt"
	"math/bits"
	"strings"

	"jail/internal/sandbox/plan"
)

// A ruleset answers which of many rules speaks last about a name. Rules for any
// depth, nearly all of them, look at the name alone; two tables of bits, by its
// first and by its last byte, leave none to try for most names.
type ruleset struct {
	rules []rule
	words int      // of 64 bits, for one bit a rule
	first []uint64 // words for each of 256 bytes
	last  []uint64
	start states // of the anchored rules, in the root

	// Rules such as **/.cargo/config begin anywhere. As states they would be in every
	// directory, and have each name in it folded and tried; so they become one only
	// below a directory of the right name, by whose first byte most are passed over.
	floating []int
	float    [256]bool
}

// none is no rule: nothing speaks about a name.
const none = -1

// A state is an anchored rule on its way down: its part next is up.
type state struct{ rule, next int }

// states are the anchored rules that reach into one directory.
type states struct {
	leaves []state // their last part is up
	inner  []state // something follows, so only directories matter
}

func (s *states) empty() bool { return len(s.leaves)+len(s.inner) == 0 }

func newRuleset(root string, patterns []plan.Pattern) (*ruleset, error) {
	s := &ruleset{words: (len(patterns) + 63) / 64}
	s.first = make([]uint64, 256*s.words)
	s.last = make([]uint64, 256*s.words)
	for i, p := range patterns {
		r, err := compile(p, root)
		if err != nil {
			return nil, err
		}
		s.rules = append(s.rules, r)
		switch {
		case !r.anchored:
			s.index(i, &s.rules[i].parts[0])
		case r.floats(root):
			s.floating = append(s.floating, i)
			for c, may := range beginnings(&r.parts[1]) {
				s.float[c] = s.float[c] || may
			}
		}
	}
	return s, s.descend(root)
}

// floats reports whether r begins with ** in the root. Exceptions do not: they are
// asked for in directories where nothing has matched yet.
func (r *rule) floats(root string) bool {
	return !r.Except && (r.Base == "" || r.Base == root) && len(r.parts) > 2 && r.parts[0].deep && !r.parts[1].deep
}

// beginnings are the bytes with which a name may begin to match g.
func beginnings(g *glob) (may [256]bool) {
	var begin []byte
	if g.stars {
		begin = g.parts[0]
	}
	for c := range may {
		// A byte of a longer character may fold to anything: try.
		may[c] = len(begin) == 0 || c >= 0x80 || lower(byte(c)) == begin[0]
	}
	return may
}

// index notes with which bytes a name may begin and end to match g.
func (s *ruleset) index(i int, g *glob) {
	var end []byte
	if g.stars {
		end = g.parts[len(g.parts)-1]
	}
	for c, may := range beginnings(g) {
		if may {
			s.first[c*s.words+i/64] |= 1 << (i % 64)
		}
		if len(end) == 0 || c >= 0x80 || lower(byte(c)) == end[len(end)-1] {
			s.last[c*s.words+i/64] |= 1 << (i % 64)
		}
	}
}

// descend starts the anchored rules: where a rule's directory lies above root, it
// first goes the way down. The rules of outer projects must not hide the root
// itself, since nothing would be left to work in.
func (s *ruleset) descend(root string) error {
	hides := map[string]int{}
	for i := range s.rules {
		r := &s.rules[i]
		var way states
		if r.anchored && !r.floats(root) {
			s.add(&way, state{i, 0})
		}
		if r.Base != "" && r.Base != root && plan.Below(root, r.Base) {
			path := r.Base
			for name := range strings.SplitSeq(relative(root, r.Base), "/") {
				path = strings.TrimSuffix(path, "/") + "/" + name
				folded := fold(nil, []byte(name))
				if s.matches(&way, i, folded) {
					hides[path] = i
				}
				way = s.next(&way, folded)
			}
		}
		s.start.leaves = append(s.start.leaves, way.leaves...)
		s.start.inner = append(s.start.inner, way.inner...)
	}
	return s.refuse(root, hides)
}

// refuse returns an error if a rule hides root or a directory above it.
func (s *ruleset) refuse(root string, hides map[string]int) error {
	for path := root; path != "" && len(hides) > 0; path = path[:strings.LastIndexByte(path, '/')] {
		if i, ok := hides[path]; ok && !s.rules[i].Except {
			r := &s.rules[i]
			return fmt.Errorf("the pattern %q of %q hides %q, and the project lies in it", r.Text, r.Base, path)
		}
	}
	return nil
}

// matches reports whether rule i, with these states, matches a directory.
func (s *ruleset) matches(way *states, i int, folded []byte) bool {
	if !s.rules[i].anchored {
		return s.rules[i].parts[0].match(folded)
	}
	for _, st := range way.leaves {
		if s.part(st).match(folded) {
			return true
		}
	}
	return false
}

func (s *ruleset) part(st state) *glob { return &s.rules[st.rule].parts[st.next] }

// add adds a state, and the one behind a ** since that may stand for no directory
// at all. A ** at the end stands for at least one name.
func (s *ruleset) add(to *states, st state) {
	last := len(s.rules[st.rule].parts) - 1
	list := &to.inner
	if st.next == last {
		list = &to.leaves
	}
	for _, have := range *list {
		if have == st {
			return
		}
	}
	*list = append(*list, st)
	if st.next < last && s.part(st).deep {
		s.add(to, state{st.rule, st.next + 1})
	}
}

// next returns the states in a subdirectory.
func (s *ruleset) next(in *states, folded []byte) (out states) {
	for _, st := range in.leaves {
		if s.part(st).deep {
			s.add(&out, st)
		}
	}
	for _, st := range in.inner {
		switch g := s.part(st); {
		case g.deep:
			s.add(&out, st)
		case g.match(folded):
			s.add(&out, state{st.rule, st.next + 1})
		}
	}
	for _, i := range s.floating {
		if s.rules[i].parts[1].match(folded) {
			s.add(&out, state{i, 2})
		}
	}
	return out
}

// What a name is, as far as rules care. A link may lead to a directory, so rules
// for directories match it until somebody looks.
type entryKind uint8

const (
	isFile entryKind = iota
	isDir
	isLink
)

func (r *rule) fits(k entryKind) bool { return !r.dirOnly || k != isFile }

// verdict returns the last rule below limit that matches the folded name in a
// directory with these states.
func (s *ruleset) verdict(folded []byte, k entryKind, in *states, limit int) int {
	return max(s.base(folded, k, limit), s.anchored(folded, k, in, limit))
}

// base looks at the rules for any depth.
func (s *ruleset) base(folded []byte, k entryKind, limit int) int {
	f := int(folded[0]) * s.words
	l := int(folded[len(folded)-1]) * s.words
	for w := s.words - 1; w >= 0; w-- {
		for set := s.first[f+w] & s.last[l+w]; set != 0; {
			i := bits.Len64(set) - 1
			set &^= 1 << i
			i += w * 64
			if r := &s.rules[i]; i < limit && !r.anchored && r.fits(k) && r.parts[0].match(folded) {
				return i
			}
		}
	}
	return none
}

// anchored looks at the rules that reach into this directory.
func (s *ruleset) anchored(folded []byte, k entryKind, in *states, limit int) int {
	best := none
	for _, st := range in.leaves {
		if st.rule > best && st.rule < limit && s.rules[st.rule].fits(k) && s.part(st).match(folded) {
			best = st.rule
		}
	}
	return best
}

// silent reports that no rule for any depth can match a name, by its first and
// its last byte. It is asked of every name, before the name is folded.
func (s *ruleset) silent(name []byte) bool {
	f := int(name[0]) * s.words
	l := int(name[len(name)-1]) * s.words
	for w := range s.words {
		if s.first[f+w]&s.last[l+w] != 0 {
			return false
		}
	}
	return true
}

// outright keeps the states of rules that name one path.
func (s *ruleset) outright(in *states) (out states) {
	for _, st := range in.leaves {
		if s.rules[st.rule].outright {
			out.leaves = append(out.leaves, st)
		}
	}
	for _, st := range in.inner {
		if s.rules[st.rule].outright {
			out.inner = append(out.inner, st)
		}
	}
	return out
}

// at returns the states in the directory at a path below the root, its
// components separated by slashes; empty is the root.
func (s *ruleset) at(path string) states {
	in := s.start
	if path == "" {
		return in
	}
	for name := range strings.SplitSeq(path, "/") {
		in = s.next(&in, fold(nil, []byte(name)))
	}
	return in
}

// excepts reports whether, in a directory with these states, an exception later
// than rule, and from the same, names something by its path.
func (s *ruleset) excepts(in *states, rule int) bool {
	for _, list := range [...][]state{in.leaves, in.inner} {
		for _, st := range list {
			if r := &s.rules[st.rule]; r.Except && st.rule > rule && r.Action == s.rules[rule].Action && !r.parts[0].deep {
				return true
			}
		}
	}
	return false
}
