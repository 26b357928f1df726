package mask

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/memory"
	"jail/internal/sandbox/plan"
)

// A top is the directory that a ledger is about: the outermost one around the root
// that was a project before, or else the root.
type top struct {
	path  string
	inner string // the path of the root below it; empty where that is the top
	fd    int
	id    plan.ID
	own   bool // fd is to be closed

	name   string      // of the ledger
	mark   memory.Mark // of its file; zero for none
	was    string      // the path that it had when that was written
	ledger ledger
}

// findTop looks for a ledger from the outermost directory in.
func (s *search) findTop(st *stat) error {
	s.top = top{path: s.Root, fd: s.fd, id: st.id, name: fileName(ledgerKind, s.Root, st)}
	for i := 1; i < len(s.Root); i++ {
		if s.Root[i] != '/' {
			continue
		}
		var above stat
		if err := statAt(unix.AT_FDCWD, s.Root[:i], &above); err != nil {
			continue // so nothing can have been hidden from there
		}
		t := top{path: s.Root[:i], inner: s.Root[i+1:], id: above.id, name: fileName(ledgerKind, s.Root[:i], &above)}
		if s.open(&t); t.mark == (memory.Mark{}) {
			continue
		}
		f, err := openRoot(t.path, t.id)
		if err != nil {
			return err
		}
		t.fd, t.own = f, true
		s.top = t
		return nil
	}
	s.open(&s.top)
	return nil
}

// open reads the ledger of t.
func (s *search) open(t *top) {
	text, mark, err := s.Shelf.Read(t.name)
	t.mark = mark
	if t.was, t.ledger = readLedger(text, t.id.Dev); err != nil {
		t.ledger.broken = true
	}
}

func (t *top) close() {
	if t.own {
		unix.Close(t.fd)
	}
}

// adopt takes over what was hidden in projects that lie in the top, which has no
// ledger yet. It returns the names of their ledgers, which are of no more use.
func (s *search) adopt() ([]string, error) {
	names, err := s.Shelf.Names()
	if err != nil {
		return nil, fmt.Errorf("list what is remembered: %w", err)
	}
	var adopted []string
	for _, name := range names {
		if !strings.HasPrefix(name, ledgerKind+"-") {
			continue
		}
		text, _, err := s.Shelf.Read(name)
		if err != nil || text == nil {
			continue
		}
		path, _ := readLedger(text, 0)
		var st stat
		if path == s.top.path || !plan.Below(path, s.top.path) ||
			statAt(unix.AT_FDCWD, path, &st) != nil || fileName(ledgerKind, path, &st) != name {
			continue
		}
		_, l := readLedger(text, st.id.Dev)
		s.top.ledger.include(relative(path, s.top.path), &l)
		adopted = append(adopted, name)
	}
	slices.SortFunc(s.top.ledger.known, func(a, b known) int { return a.compare(&b) })
	return adopted, nil
}

// include adds what is in the ledger of a directory below.
func (l *ledger) include(below string, o *ledger) {
	moved := map[*line]*line{}
	for _, k := range o.known {
		by := moved[k.by]
		if by == nil {
			by = new(line)
			*by = *k.by
			if rest, found := strings.CutPrefix(by.base, "./"); found {
				by.base = strings.TrimSuffix("./"+below+"/"+rest, "/")
			}
			moved[k.by] = by
		}
		k.by, k.path, k.origin = by, below+"/"+k.path, below+"/"+k.origin
		l.known = append(l.known, k)
	}
	l.said, l.index = append(l.said, o.said...), append(l.index, o.index...)
}
