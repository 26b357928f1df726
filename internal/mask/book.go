package mask

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"strconv"
	"strings"
	"unsafe"

	"jail/internal/sandbox/plan"
)

// A book is what one launch writes down for the next:
//
//	head      the format, and a checksum of all that follows
//	root      the path that this is about
//	written   when, in seconds since 1970
//	known     what was hidden once, whatever the patterns are today
//	sections  for each of the last lists of patterns: its key, its length, and
//	          the inodes that were looked for with the records of directories
//
// Numbers are varints, times nanoseconds, strings a length and bytes. A device is
// 0 where it is the root's: its number may be another one after the next start of
// the machine.
type book struct {
	known    []known
	seek     []uint64
	tree     saved     // the record of the root
	sections []section // of other lists of patterns, the last used first
	broken   bool      // there was something, and it could not be read
}

// A section is for one list of patterns. Commands with patterns of their own take
// turns with the others, and each finds its own.
type section struct{ key, body string }

// maxSections is how many are kept.
const maxSections = 4

// bookHead is the format of everything but the sections' bodies. What was hidden
// once must outlive a new version of jail, so it changes as seldom as possible.
const bookHead = "jail walk 1\n"

// sectionVersion is the format of a section, and the version of all that decides
// what goes into it: which names need a second look, and what a content is judged
// to be. A test holds that it changes with them.
const sectionVersion = "1"

// sectionKey is of everything that records depend on and do not hold themselves.
func sectionKey(root string, euid uint32, rules []rule) string {
	b := appendStrings(nil, sectionVersion, root, strconv.Itoa(int(euid)))
	for i := range rules {
		p := &rules[i].Pattern
		b = appendStrings(b, p.Text, p.Base, string(p.Action), p.Reason.Layer, strconv.FormatBool(p.Except))
	}
	sum := sha256.Sum256(b)
	return string(sum[:16])
}

func appendStrings(b []byte, list ...string) []byte {
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}

// open reads a book. What is not whole, of another format or about another root is
// not believed at all; records from the future are not, since a clock that went
// back can give a ctime twice.
func (s *search) open(text []byte) book {
	if len(text) == 0 {
		return book{}
	}
	body, ok := whole(text)
	r := reader{rest: body, dev: s.id.Dev}
	if !ok || r.text() != s.root {
		return book{broken: true}
	}
	written := r.signed()
	b := book{known: r.knowns()}
	key := sectionKey(s.root, s.euid(), s.rules.rules)
	for r.rest != "" && !r.bad {
		c := section{r.take(len(key)), r.text()}
		if c.key != key {
			b.sections = append(b.sections, c)
		} else if written <= s.now.Unix() {
			b.seek, b.tree = readSection(c.body)
		}
	}
	if r.bad {
		return book{broken: true}
	}
	return b
}

// whole returns what follows the head, if that is what was written.
func whole(text []byte) (string, bool) {
	rest, found := bytes.CutPrefix(text, []byte(bookHead))
	if !found || len(rest) < 5 {
		return "", false
	}
	sum, body := binary.LittleEndian.Uint32(rest), rest[4:]
	// The names in it are used as strings where they stand: nobody writes to it.
	return unsafe.String(&body[0], len(body)), sum == crc32.ChecksumIEEE(body)
}

// write returns the book for the next launch.
func (s *search) write() []byte {
	w := writer{dev: s.id.Dev}
	w.texts(s.root)
	w.signed(s.now.Unix())
	w.knowns(s.found.next)
	w.b = append(w.b, sectionKey(s.root, s.euid(), s.rules.rules)...)
	w.texts(string(writeSection(s.seek, s.walk.top, s.walk.old, s.id.Dev)))
	for _, c := range s.book.sections[:min(len(s.book.sections), maxSections-1)] {
		w.b = append(w.b, c.key...)
		w.texts(c.body)
	}
	head := binary.LittleEndian.AppendUint32([]byte(bookHead), crc32.ChecksumIEEE(w.b))
	return append(head, w.b...)
}

// A writer appends what a reader reads.
type writer struct {
	b   []byte
	dev uint64 // of the root
}

func (w *writer) byte(c byte)          { w.b = append(w.b, c) }
func (w *writer) signed(n int64)       { w.b = binary.AppendVarint(w.b, n) }
func (w *writer) number(n uint64)      { w.b = binary.AppendUvarint(w.b, n) }
func (w *writer) texts(list ...string) { w.b = appendStrings(w.b, list...) }

func (w *writer) device(dev uint64) {
	if dev == w.dev {
		dev = 0
	}
	w.number(dev)
}

// A reader never goes beyond its text. After the first thing that cannot be, bad
// is set and everything reads as nothing.
type reader struct {
	rest string
	dev  uint64 // of the root
	bad  bool
}

func (r *reader) fail() {
	r.bad, r.rest = true, ""
}

func (r *reader) take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) byte() byte {
	if s := r.take(1); s != "" {
		return s[0]
	}
	return 0
}

func (r *reader) number() uint64 {
	var n uint64
	for i := 0; i < len(r.rest) && i < binary.MaxVarintLen64; i++ {
		c := r.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

func (r *reader) signed() int64 {
	n := r.number()
	return int64(n>>1) ^ -int64(n&1)
}

// count reads how many things follow that take at least so many bytes each.
func (r *reader) count(least int) int {
	n := r.number()
	if n > uint64(len(r.rest)/least) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) text() string { return r.take(r.count(1)) }

func (r *reader) device() uint64 {
	if dev := r.number(); dev != 0 {
		return dev
	}
	return r.dev
}

// types are the types of a known thing, as they are written.
var types = [...]plan.Type{
	plan.Directory, plan.Regular, plan.Symlink, plan.CharDevice, plan.BlockDevice, plan.Socket, plan.FIFO,
}

func (w *writer) knowns(list []known) {
	var lines []line
	index := map[line]int{}
	for i := range list {
		if _, found := index[*list[i].by]; !found {
			index[*list[i].by] = len(lines)
			lines = append(lines, *list[i].by)
		}
	}
	w.number(uint64(len(lines)))
	for _, l := range lines {
		w.texts(l.text, l.base, l.layer, string(l.action))
	}
	w.number(uint64(len(list)))
	for i := range list {
		w.known(&list[i], index[*list[i].by])
	}
}

func (w *writer) known(k *known, by int) {
	w.device(k.id.Dev)
	w.number(k.id.Ino)
	for i, t := range types {
		if t == k.typ {
			w.byte(byte(i) | byte(k.lost)<<4)
		}
	}
	w.signed(k.born)
	w.number(uint64(by))
	w.signed(k.day)
	origin := k.origin
	if origin == k.path {
		origin = ""
	}
	w.texts(k.path, origin)
}

func (r *reader) knowns() []known {
	lines := make([]line, r.count(4))
	for i := range lines {
		lines[i] = line{text: r.text(), base: r.text(), layer: r.text(), action: plan.Action(r.text())}
	}
	const least = 8 // bytes that one takes
	list := make([]known, r.count(least))
	for i := range list {
		k := &list[i]
		k.id = plan.ID{Dev: r.device(), Ino: r.number()}
		t := r.byte()
		if k.lost = int(t >> 4); int(t&0xf) < len(types) {
			k.typ = types[t&0xf]
		} else {
			r.fail()
		}
		k.born = r.signed()
		if by := r.number(); by < uint64(len(lines)) {
			k.by = &lines[by]
		} else {
			r.fail()
		}
		k.day = r.signed()
		if k.path, k.origin = r.text(), r.text(); k.origin == "" {
			k.origin = k.path
		}
		if r.bad || !cleanPath(k.path) || !cleanPath(k.origin) {
			r.fail()
			return nil
		}
	}
	return list
}

// cleanPath reports whether s is a clean path below a root.
func cleanPath(s string) bool {
	for name := range strings.SplitSeq(s, "/") {
		if !isName(name) {
			return false
		}
	}
	return true
}

func isName(s string) bool {
	return s != "" && s != "." && s != ".." && strings.IndexByte(s, 0) < 0
}
