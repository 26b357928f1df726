package mask

import (
	"slices"

	"jail/internal/sandbox/plan"
)

// A verdict is what a rule's question about one state of a file was answered. A
// write changes the file's ctime, which no process can choose.
type verdict struct {
	judge        judge
	why          uint8 // of whys
	ino          uint64
	size         int64
	mtime, ctime int64
}

// Whys are the reasons for which a content acquits, the first for none. A memory
// counts them, so another order is another version.
var whys = [...]string{"", whyPublicPEM, whyHarmless, whyHarmlessEnds, whyNoCredential}

const (
	whyPublicPEM    = "nothing but public PEM"
	whyHarmless     = "no value in it looks like a secret"
	whyHarmlessEnds = "no value at its beginning and end looks like a secret"
	whyNoCredential = "it holds no credential"
)

// holds reports whether the question j has been answered for what st says.
func (v *verdict) holds(j judge, st *stat) bool {
	return v != nil && v.judge == j && st.typ == plan.Regular &&
		v.ino == st.id.Ino && v.size == st.size && v.mtime == st.mtime && v.ctime == st.ctime
}

// judged puts a question to the entry, unless it was answered for this very state
// of it. A file on another device than its directory is asked each time: that
// another one was mounted over it leaves no trace in the directory.
func (l *lookup) judged(j judge) (why string, open bool) {
	if !j.reads() {
		return "", false
	}
	if v := l.remembered(); v != nil && l.look() == nil && l.st.id.Dev == l.at.id.Dev && v.holds(j, &l.st) {
		return whys[v.why], v.why != 0
	}
	l.st = stat{}
	why, open = l.content(j, l.f, l.e.name, l.d.in(l.e.name), &l.st)
	if l.looked = l.st.typ == plan.Regular; !l.looked || l.e.kept == nil {
		return why, open
	}
	if l.steady && l.st.id.Dev == l.at.id.Dev && l.settled(&l.st) {
		l.e.kept.verdict = &verdict{
			judge: j, why: uint8(slices.Index(whys[:], why)),
			ino: l.st.id.Ino, size: l.st.size, mtime: l.st.mtime, ctime: l.st.ctime,
		}
		l.news(l.d)
	}
	return why, open
}

func (l *lookup) remembered() *verdict {
	if l.e.kept == nil {
		return nil
	}
	return l.e.kept.verdict
}

// look looks at the entry itself, once.
func (l *lookup) look() error {
	if l.looked {
		return nil
	}
	err := statAt(l.f, l.e.name, &l.st)
	l.looked = err == nil
	return err
}
