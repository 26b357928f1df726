package mask

import (
	"cmp"
	"slices"

	"jail/internal/sandbox/plan"
)

// A ledger is what must not be forgotten: what was hidden in a project or in one
// that lies in it, and what was said about that. It holds:
//
//	head   the format, and a checksum of all that follows
//	top    the path of the directory that it is about
//	said   the notices that were printed
//	index  the files that were asked for what git tracks, and how long they were
//	known  what was hidden once, whatever the patterns are today
//
// A command in an outer project can move things into an inner one, and plant the
// marker that makes it one. So all projects that lie in each other share the
// ledger of the outermost.
type ledger struct {
	said   []saying
	index  []index
	known  []known
	broken bool // there was something, and it could not be read
}

// A saying is a notice that was printed, and the day since 1970 on which it was
// true last, to a week.
type saying struct {
	hash uint64
	day  int64
}

// compare puts the newest first.
func (s saying) compare(o saying) int {
	return cmp.Or(cmp.Compare(o.day, s.day), cmp.Compare(s.hash, o.hash))
}

// ledgerHead is the format. What was hidden once must outlive a new version of
// jail, so it changes as seldom as possible.
const (
	ledgerKind = "hidden"
	ledgerHead = "jail hidden 1\n"
)

// readLedger reads a ledger of a directory on the device dev, and the path that it
// had. What is not whole or of another format is not believed at all.
func readLedger(text []byte, dev uint64) (top string, l ledger) {
	if text == nil {
		return "", ledger{}
	}
	body, ok := whole(text, ledgerHead)
	r := reader{rest: body, dev: dev}
	top = r.text()
	const least = 9
	l.said = make([]saying, r.count(least))
	for i := range l.said {
		l.said[i] = saying{r.fixed(), r.signed()}
	}
	l.index = make([]index, r.count(2))
	for i := range l.index {
		l.index[i] = index{r.text(), r.signed()}
	}
	l.known = r.knowns()
	if !ok || r.bad || r.rest != "" {
		return "", ledger{broken: true}
	}
	return top, l
}

// text writes l down.
func (l *ledger) text(top string, dev uint64) []byte {
	w := writer{dev: dev}
	w.texts(top)
	w.number(uint64(len(l.said)))
	for _, s := range l.said {
		w.fixed(s.hash)
		w.signed(s.day)
	}
	w.number(uint64(len(l.index)))
	for _, x := range l.index {
		w.texts(x.path)
		w.signed(x.size)
	}
	w.knowns(l.known)
	return sealed(ledgerHead, w.b)
}

// equal reports whether both say the same.
func (l *ledger) equal(o *ledger) bool {
	return !l.broken && !o.broken && slices.Equal(l.said, o.said) && slices.Equal(l.index, o.index) && slices.Equal(l.known, o.known)
}

// types are the types of a known thing, as they are written.
var types = [...]plan.Type{
	plan.Directory, plan.Regular, plan.Symlink, plan.CharDevice, plan.BlockDevice, plan.Socket, plan.FIFO,
}

// What the byte of a known thing says besides the type.
const (
	knownType    = 0x0f
	knownTracked = 0x10
)

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
	w.byte(byte(slices.Index(types[:], k.typ)) | flag(k.tracked, knownTracked))
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
		r.known(&list[i], lines)
		if r.bad {
			return nil
		}
	}
	return list
}

func (r *reader) known(k *known, lines []line) {
	k.id = plan.ID{Dev: r.device(), Ino: r.number()}
	bits := r.byte()
	k.tracked = bits&knownTracked != 0
	if t := int(bits & knownType); t < len(types) {
		k.typ = types[t]
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
	if !cleanPath(k.path) || !cleanPath(k.origin) {
		r.fail()
	}
}
