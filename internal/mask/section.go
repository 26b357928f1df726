package mask

import (
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A section holds, after the inodes that were looked for, the record of the root
// behind those of everything below it: each directory's record stands behind the
// subtrees of its children, which follow each other in the order of its entries.
// An entry says how long the child's subtree is, and its own record in that. So a
// launch reads what it meets and nothing else, and a subtree in which nothing
// changed is copied as it is.

// A saved is a record as it was written.
type saved struct {
	text string // of the whole subtree; empty for none
	at   int    // where its own record begins
}

// What the first byte of a record says.
const (
	recNamed = 1 << iota
	recSuspect
	recInherit
	recVenv
	recTag
	recSecond
	recStamp
	recDevice // it lies on another device than the root
)

// What the first byte of an entry says besides the type.
const (
	entType    = 0x0f
	entChild   = 0x10
	entVerdict = 0x20
)

func flag(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}

// writeSection writes the records of a tree whose top is new, or else as it was.
func writeSection(seek []uint64, top *record, old saved, dev uint64) []byte {
	w := writer{dev: dev}
	w.number(uint64(len(seek)))
	for _, i := range seek {
		w.number(i)
	}
	tree := writer{dev: dev}
	own := len(old.text) - old.at
	if top != nil {
		_, own = tree.tree(top)
	} else {
		tree.b = append(tree.b, old.text...)
	}
	w.number(uint64(own))
	return append(w.b, tree.b...)
}

// readSection reads the head of a section.
func readSection(body string) (seek []uint64, root saved) {
	r := reader{rest: body}
	seek = make([]uint64, r.count(1))
	for i := range seek {
		seek[i] = r.number()
	}
	own := r.count(1)
	return seek, saved{r.rest, len(r.rest) - own}
}

// tree writes r behind everything below it, and returns the length of all that and
// of r itself.
func (w *writer) tree(r *record) (all, own int) {
	start := len(w.b)
	for i := range r.entries {
		switch e := &r.entries[i]; {
		case e.child != nil:
			e.all, e.own = w.tree(e.child)
		case e.old.text != "":
			w.b = append(w.b, e.old.text...)
			e.all, e.own = len(e.old.text), len(e.old.text)-e.old.at
		}
	}
	at := len(w.b)
	w.record(r)
	return len(w.b) - start, len(w.b) - at
}

func (w *writer) record(r *record) {
	a := &r.around
	w.byte(flag(a.named, recNamed) | flag(a.suspect != none, recSuspect) | flag(a.inherit, recInherit) |
		flag(r.marks.venv, recVenv) | flag(r.marks.tag, recTag) | flag(r.second, recSecond) |
		flag(r.stamp != 0, recStamp) | flag(r.id.Dev != w.dev, recDevice))
	if r.id.Dev != w.dev {
		w.number(r.id.Dev)
	}
	w.number(r.id.Ino)
	if r.stamp != 0 {
		w.signed(r.stamp)
	}
	if a.suspect != none {
		w.number(uint64(a.suspect))
	}
	if a.inherit {
		w.number(uint64(a.partial.rule))
		w.byte(byte(a.partial.sources))
	}
	w.number(uint64(r.files))
	w.number(uint64(len(r.entries)))
	for i := range r.entries {
		w.entry(r, &r.entries[i])
	}
}

func (w *writer) entry(r *record, e *kept) {
	w.byte(e.typ&entType | flag(e.own > 0, entChild) | flag(e.verdict != nil, entVerdict))
	w.texts(e.name)
	if e.typ != unix.DT_DIR {
		w.signed(int64(e.ino - r.id.Ino)) // near it, as a rule
	}
	if e.own > 0 {
		w.number(uint64(e.all))
		w.number(uint64(e.own))
	}
	if v := e.verdict; v != nil {
		w.byte(byte(v.judge))
		w.byte(v.why)
		w.signed(int64(v.ino - r.id.Ino))
		w.signed(v.size)
		w.signed(v.mtime)
		w.signed(v.ctime)
	}
}

// An entryReader reads the entries of a saved record, one after the other.
type entryReader struct {
	reader
	ino   uint64 // of the directory
	left  int    // entries
	below string // the subtrees of the children that were not met yet
	last  string // the name before
}

// open reads what a saved record says of the directory itself. Its device is dev
// unless it says another.
func (s saved) open(dev uint64) (record, entryReader) {
	if s.text == "" {
		return record{}, entryReader{}
	}
	r := reader{rest: s.text[s.at:]}
	var to record
	bits := r.byte()
	to.marks = marks{venv: bits&recVenv != 0, tag: bits&recTag != 0}
	to.second = bits&recSecond != 0
	to.id.Dev = dev
	if bits&recDevice != 0 {
		to.id.Dev = r.number()
	}
	to.id.Ino = r.number()
	if bits&recStamp != 0 {
		to.stamp = r.signed()
	}
	to.around = around{named: bits&recNamed != 0, suspect: none}
	if bits&recSuspect != 0 {
		to.around.suspect = int(r.number())
	}
	if bits&recInherit != 0 {
		to.around.inherit = true
		to.around.partial = partial{rule: int(r.number()), sources: family(r.byte())}
	}
	to.files = int(r.number())
	left := r.count(2)
	if r.bad {
		return record{}, entryReader{reader: r}
	}
	return to, entryReader{reader: r, ino: to.id.Ino, left: left, below: s.text[:s.at]}
}

// next reads one entry, and reports whether there was one. After the last, bad
// says whether all was well.
func (r *entryReader) next(to *kept) bool {
	if r.bad || r.left == 0 {
		if r.rest != "" || r.below != "" {
			r.fail()
		}
		return false
	}
	r.left--
	bits := r.byte()
	*to = kept{typ: bits & entType, name: r.text()}
	if !isName(to.name) || strings.IndexByte(to.name, '/') >= 0 || to.name <= r.last {
		r.fail()
	}
	r.last = to.name
	if to.typ != unix.DT_DIR {
		to.ino = r.ino + uint64(r.signed())
	}
	if bits&entChild != 0 {
		to.old = r.child(to.typ)
	}
	if bits&entVerdict != 0 {
		v := &verdict{judge: judge(r.byte()), why: r.byte(), ino: r.ino + uint64(r.signed())}
		if v.size, v.mtime, v.ctime = r.signed(), r.signed(), r.signed(); int(v.why) >= len(whys) {
			r.fail()
		}
		to.verdict = v
	}
	return !r.bad
}

func (r *entryReader) child(typ uint8) saved {
	all, own := r.number(), r.number()
	if r.bad || typ != unix.DT_DIR || own == 0 || own > all || all > uint64(len(r.below)) {
		r.fail()
		return saved{}
	}
	s := saved{r.below[:all], int(all - own)}
	r.below = r.below[all:]
	return s
}

// decode reads a saved record whole. It returns nil for none, and for one that no
// launch wrote.
func (s saved) decode(dev uint64) *record {
	to, r := s.open(dev)
	if s.text == "" || r.bad {
		return nil
	}
	to.entries = make([]kept, 0, r.left)
	for {
		var e kept
		if !r.next(&e) {
			break
		}
		to.entries = append(to.entries, e)
	}
	if r.bad {
		return nil
	}
	to.entries = slices.Clip(to.entries)
	return &to
}
