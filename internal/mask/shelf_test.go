package mask

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/memory"
	"jail/internal/sandbox/plan"
)

// A shelf is a memory.Shelf in variables that counts what is written.
type shelf struct {
	mu     sync.Mutex
	files  map[string][]byte
	marks  map[string]memory.Mark
	clock  int64
	ledger int // times that one was written
	walk   int // and records were
	full   bool
	before func() // called before each Swap
}

func (s *shelf) Read(name string) ([]byte, memory.Mark, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name], s.marks[name], nil
}

func (s *shelf) Mark(name string) (memory.Mark, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.marks[name], nil
}

func (s *shelf) Write(name string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(name, text)
}

func (s *shelf) put(name string, text []byte) error {
	if s.full {
		return unix.ENOSPC
	}
	if s.files == nil {
		s.files, s.marks = map[string][]byte{}, map[string]memory.Mark{}
	}
	s.clock++
	s.files[name], s.marks[name] = bytes.Clone(text), memory.Mark{Ino: 1, Ctime: s.clock}
	if strings.HasPrefix(name, ledgerKind) {
		s.ledger++
	} else {
		s.walk++
	}
	return nil
}

func (s *shelf) Swap(name string, was memory.Mark, text []byte) (bool, error) {
	if s.before != nil {
		s.before()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.marks[name] != was {
		return false, nil
	}
	return true, s.put(name, text)
}

func (s *shelf) Names() ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.files)), nil
}

func (s *shelf) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, name)
	delete(s.marks, name)
}

// copied returns a shelf with the same files.
func (s *shelf) copied() *shelf {
	return &shelf{files: maps.Clone(s.files), marks: maps.Clone(s.marks), clock: s.clock}
}

// name returns the name of the only file of a kind.
func (s *shelf) name(t testing.TB, kind string) string {
	t.Helper()
	found := ""
	for _, n := range slices.Sorted(maps.Keys(s.files)) {
		if strings.HasPrefix(n, kind+"-") {
			if found != "" {
				t.Fatalf("more than one: %q", slices.Sorted(maps.Keys(s.files)))
			}
			found = n
		}
	}
	if found == "" {
		t.Fatalf("no %q among %q", kind, slices.Sorted(maps.Keys(s.files)))
	}
	return found
}

// known returns what is in the only ledger.
func (s *shelf) known(t testing.TB) []known {
	t.Helper()
	_, l := readLedger(s.files[s.name(t, ledgerKind)], 0)
	if l.broken {
		t.Fatal("the ledger is broken")
	}
	return l.known
}

// forget takes what was hidden once out of a shelf, so that only records are left.
func (s *shelf) forget(t testing.TB) {
	t.Helper()
	n := s.name(t, ledgerKind)
	s.rewrite(t, n, func(l *ledger) { l.known = nil })
}

func (s *shelf) rewrite(t testing.TB, name string, change func(*ledger)) {
	t.Helper()
	path, l := readLedger(s.files[name], 0)
	if l.broken {
		t.Fatal("the ledger is broken")
	}
	change(&l)
	if err := s.Write(name, l.text(path, 0)); err != nil {
		t.Fatal(err)
	}
	s.ledger--
}

// records reads what the only file of records says for these patterns.
func (s *shelf) records(t testing.TB, root string, patterns []plan.Pattern) records {
	t.Helper()
	rules, err := newRuleset(root, patterns)
	if err != nil {
		t.Fatal(err)
	}
	key := sectionKey(root, uint32(unix.Geteuid()), rules.rules)
	return readRecords(s.files[s.name(t, recordsKind)], key, later().Unix())
}

// later is a moment at which all that was done until now has settled.
func later() time.Time { return time.Now().Add(time.Minute) }

// walkLater walks with a memory, as if a minute had passed since the last change.
func walkLater(t testing.TB, root string, patterns []plan.Pattern, s *shelf) Result {
	t.Helper()
	return walkThen(t, later(), root, patterns, s)
}

func walkThen(t testing.TB, now time.Time, root string, patterns []plan.Pattern, s *shelf) Result {
	t.Helper()
	r, err := walkAt(now, Request{Root: root, Patterns: patterns, Shelf: s})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refusal returns the words of a refusal, or nothing for what is none.
func refusal(err error) string {
	var r *plan.Refusal
	if errors.As(err, &r) {
		return r.Cause
	}
	return ""
}
