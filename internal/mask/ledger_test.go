package mask

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"jail/internal/memory"
	"jail/internal/sandbox/plan"
)

// TestLedger writes what it read, byte for byte.
func TestLedger(t *testing.T) {
	root, _, s := library(t)
	text := s.files[s.name(t, ledgerKind)]
	path, l := readLedger(text, 0)
	if path != root || len(l.known) < 8 || l.broken {
		t.Errorf("%q, %+v", path, l)
	}
	if again := l.text(path, 0); !bytes.Equal(again, text) {
		t.Errorf("read %q, wrote %q", text, again)
	}
	l.said, l.index = []saying{{1 << 63, 5}, {7, -1}}, []index{{"/x/.git/index", -1}, {"y", 1 << 40}}
	l.known[0].tracked = true
	if _, again := readLedger(l.text(path, 0), 0); !reflect.DeepEqual(again, l) {
		t.Errorf("%+v\nwant %+v", again, l)
	}
}

// TestLedgerIsNotBelieved holds that a damaged ledger is said to be one, once, and
// that nothing else becomes of it.
func TestLedgerIsNotBelieved(t *testing.T) {
	root, patterns, s := library(t)
	want := walkTree(t, root, patterns)
	name := s.name(t, ledgerKind)
	all := damaged(s.files[name], ledgerHead)
	for _, what := range slices.Sorted(maps.Keys(all)) {
		other := s.copied()
		other.files[name] = all[what]
		r := walkLater(t, root, patterns, other)
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, "cannot be read") {
			t.Errorf("%s: notes %+v", what, r.Notes)
		}
		r.Notes, r.Read = nil, want.Read
		if !reflect.DeepEqual(r, want) {
			t.Errorf("%s: %+v\nwant %+v", what, r, want)
		}
		if again := walkLater(t, root, patterns, other); len(again.Notes) != 0 || other.ledger != 1 {
			t.Errorf("%s: after that, %+v; written %d times", what, again.Notes, other.ledger)
		}
	}
	text := s.files[name]
	for i := range text {
		changed := bytes.Clone(text)
		changed[i] ^= 0x10
		for _, b := range [][]byte{changed, text[:i]} {
			if _, l := readLedger(b, 0); !l.broken || len(l.known) > 0 {
				t.Fatalf("a change at %d is believed", i)
			}
		}
	}
}

// TestDeviceRenumbered holds that the numbers of devices may change: they do when
// the machine starts anew.
func TestDeviceRenumbered(t *testing.T) {
	root, patterns, s := library(t)
	walkLater(t, root, patterns, s)
	text := s.files[s.name(t, ledgerKind)]
	_, here := readLedger(text, 1)
	_, there := readLedger(text, 4711)
	for i := range there.known {
		if k := there.known[i]; k.id != (plan.ID{Dev: 4711, Ino: here.known[i].id.Ino}) {
			t.Errorf("known %+v", k)
		}
	}
}

// TestLedgerFails holds that nothing is started if what it hides cannot be written
// down: its command could move that to where the next launch does not look.
func TestLedgerFails(t *testing.T) {
	root := tree(t, "api/x")
	full := &shelf{full: true}
	if r := walkLater(t, root, Builtin(), full); len(r.Hits) != 0 {
		t.Error(r)
	}
	grow(t, root, "api/.env")
	for _, dry := range []bool{false, true} {
		r, err := walkAt(later(), Request{Root: root, Patterns: Builtin(), Shelf: full, DryRun: dry})
		if dry && (err != nil || len(r.Hits) != 1) || !dry && (err == nil || !strings.Contains(err.Error(), "write down")) {
			t.Errorf("dry run %v: %v, %v", dry, r, err)
		}
	}
	full.full = false
	walkLater(t, root, Builtin(), full)
	full.full = true
	if r := walkLater(t, root, Builtin(), full); len(r.Hits) != 1 {
		t.Error(r)
	}
	if r := walkThen(t, later().AddDate(0, 0, renewAfter+1), root, Builtin(), full); len(r.Hits) != 1 {
		t.Error("a day that cannot be written stops a launch")
	}
}

// TestLedgerIsBounded holds that more than can be read again is refused, not
// forgotten.
func TestLedgerIsBounded(t *testing.T) {
	root := tree(t, ".env")
	var s shelf
	walkLater(t, root, Builtin(), &s)
	long := strings.Repeat(strings.Repeat("x", 200)+"/", 15)
	s.rewrite(t, s.name(t, ledgerKind), func(l *ledger) {
		for i := range maxFile/len(long) + 1 {
			k := l.known[0]
			k.by = &line{text: "none", layer: "user", action: plan.ActMask} // it sleeps
			k.path = fmt.Sprint(long, i)
			k.origin = k.path
			l.known = append(l.known, k)
		}
	})
	grow(t, root, "a/.env")
	_, err := walkAt(later(), Request{Root: root, Patterns: Builtin(), Shelf: &s})
	if !strings.Contains(refusal(err), "more is hidden") {
		t.Error(err)
	}
}

// TestDryRunWritesNothing holds that, and that it finds the same.
func TestDryRunWritesNothing(t *testing.T) {
	root := tree(t, "api/.env")
	var s shelf
	look := func() Result {
		before := s.ledger + s.walk
		r, err := walkAt(later(), Request{Root: root, Patterns: Builtin(), Shelf: &s, DryRun: true})
		if err != nil || s.ledger+s.walk != before {
			t.Errorf("%v; written %d and %d times", err, s.ledger, s.walk)
		}
		return r
	}
	look()
	walkLater(t, root, Builtin(), &s)
	edit(t, root, "mv api node_modules")
	for range 2 {
		wantPaths(t, "hidden", hits(root, look()), []string{"node_modules/.env"})
	}
	wantPaths(t, "hidden", hits(root, walkLater(t, root, Builtin(), &s)), []string{"node_modules/.env"})
	wantPaths(t, "hidden", hits(root, look()), []string{"node_modules/.env"})
}

// TestOvertaken holds that what another launch hid while this one walked is known,
// whether or not this one has something to write down.
func TestOvertaken(t *testing.T) {
	for _, more := range []bool{false, true} {
		root := tree(t, "api/x")
		var s shelf
		walkLater(t, root, Builtin(), &s)
		grow(t, root, "api/.env")
		first := true
		m := &midway{shelf: &s, after: func() {
			if first {
				first = false
				// Another launch, whose command moves what it hid.
				walkLater(t, root, Builtin(), &s)
				edit(t, root, "mv api node_modules")
				if more {
					grow(t, root, "x.key")
				}
			}
		}}
		r, err := walkAt(later(), Request{Root: root, Patterns: Builtin(), Shelf: m})
		if err != nil {
			t.Fatal(err)
		}
		if got := hits(root, r); !slices.Contains(got, "node_modules/.env") {
			t.Errorf("hidden %q", got)
		}
	}
}

// midway does something after the ledger has been read.
type midway struct {
	*shelf
	after func()
}

func (m *midway) Read(name string) ([]byte, memory.Mark, error) {
	text, mark, err := m.shelf.Read(name)
	if strings.HasPrefix(name, ledgerKind) && text != nil {
		m.after()
	}
	return text, mark, err
}

// TestNeverDone holds that a ledger that changes all the time ends a launch.
func TestNeverDone(t *testing.T) {
	root := tree(t, "a/.env")
	var s shelf
	walkLater(t, root, Builtin(), &s)
	name := s.name(t, ledgerKind)
	m := &midway{shelf: &s, after: func() { s.Write(name, s.files[name]) }}
	_, err := walkAt(later(), Request{Root: root, Patterns: Builtin(), Shelf: m})
	if !strings.Contains(refusal(err), "all the time") {
		t.Error(err)
	}
}

// TestSaidOnce holds that a notice is printed once for what it is about, that a
// dry run sees it each time, and that one which nobody reads does not count.
func TestSaidOnce(t *testing.T) {
	root := tree(t, "api/.env")
	var s shelf
	walkLater(t, root, Builtin(), &s)
	said := func(quiet, dry bool) string {
		r, err := walkAt(later(), Request{Root: root, Patterns: Builtin(), Shelf: &s, Quiet: quiet, DryRun: dry})
		if err != nil || len(r.Notes) != 1 {
			t.Fatalf("%+v, %v", r.Notes, err)
		}
		return fmt.Sprint(r.Notes[0].Said)
	}
	for _, to := range []string{"mv api node_modules", "mv node_modules site-packages"} {
		edit(t, root, to)
		got := said(true, false) + said(false, true) + said(false, false) + said(false, false) + said(true, false) + said(false, true)
		if got != "false"+"false"+"false"+"true"+"true"+"true" {
			t.Errorf("%s: said before: %s", to, got)
		}
	}
	before := s.ledger
	if said(false, false); s.ledger != before {
		t.Error("written although nothing is new")
	}
}

// TestSayingsAreBounded holds that a command cannot fill a ledger with notices, and
// that the newest stay.
func TestSayingsAreBounded(t *testing.T) {
	var list []saying
	for i := range 200 {
		list = append(list, saying{uint64(i), 20000})
	}
	s := search{now: later(), top: top{ledger: ledger{said: list}}}
	for i := range s.top.ledger.said {
		s.top.ledger.said[i].day = s.today() - 1
	}
	s.say("new", "")
	got := s.sayings()
	if len(got) != maxSayings || got[0] != (saying{hashOf("new"), s.today()}) {
		t.Errorf("%d: %+v", len(got), got[0])
	}
}

// TestMovedProject holds that a project is known wherever it moves, patterns of its
// own included, and that another one in its place is not taken for it.
func TestMovedProject(t *testing.T) {
	dir := tree(t, "p/api/.env", "p/conf/x", "q/z/.env", "q/other")
	patterns := func(root string) []plan.Pattern {
		own := user("conf/x")
		own[0].Base = root
		return append(Builtin(), own...)
	}
	var s shelf
	p, q := dir+"/p", dir+"/q"
	walkLater(t, p, patterns(p), &s)
	walkLater(t, q, patterns(q), &s)
	edit(t, dir, "mv p/api p/node_modules", "mv p/conf p/etc", "mv q/z q/node_modules", "swap p q")
	for range 2 {
		wantPaths(t, "hidden in p", hits(q, walkLater(t, q, patterns(q), &s)), []string{"etc/x", "node_modules/.env"})
		wantPaths(t, "hidden in q", hits(p, walkLater(t, p, patterns(p), &s)), []string{"node_modules/.env"})
	}
}

// TestNested holds that projects that lie in each other know what any of them hid.
func TestNested(t *testing.T) {
	secret := []string{"in/api/.env"}
	for _, c := range []struct {
		name          string
		first, second string
		do            []string
		want          []string // hidden in the second
	}{
		{"a marker planted below", "", "/in", []string{"mv in/api in/node_modules"}, []string{"node_modules/.env"}},
		{"from outside into one", "", "/sub", []string{"mv in/api sub/node_modules"}, []string{"node_modules/.env"}},
		{"the outer one after the inner one", "/in", "", []string{"mv in/api in/node_modules"}, []string{"in/node_modules/.env"}},
		{"to another inner one", "", "/sub", []string{"put sub/.git/", "mv in/api sub/.git/api"}, []string{".git/api/.env"}},
		{"nothing for an inner one", "", "/sub", nil, nil},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			root := tree(t, append(secret, "sub/x", "x")...)
			var s shelf
			walkLater(t, root+c.first, Builtin(), &s)
			edit(t, root, c.do...)
			second := root + c.second
			if plain := hits(second, walkTree(t, second, Builtin())); c.do != nil && len(plain) != 0 {
				t.Errorf("without a memory %q are hidden, so this is no trick", plain)
			}
			for i := range 3 {
				r := walkLater(t, second, Builtin(), &s)
				wantPaths(t, "hidden", hits(second, r), c.want)
				if i > 0 && (r.Read > 0 || r.Sought > 0) {
					t.Errorf("run %d read %d directories and %d more", i, r.Read, r.Sought)
				}
			}
			s.name(t, ledgerKind) // there is one
		})
	}
}

// TestNestedOrigin holds that an exception below an inner project opens nothing that
// was hidden outside of it.
func TestNestedOrigin(t *testing.T) {
	root := tree(t, "api/.env", "sub/dev/x")
	var s shelf
	walkLater(t, root, Builtin(), &s)
	edit(t, root, "rm sub/dev", "mv api sub/dev")
	own := user("+dev/.env")
	own[0].Base = root + "/sub"
	for range 2 {
		r := walkLater(t, root+"/sub", append(Builtin(), own...), &s)
		wantPaths(t, "hidden", hits(root+"/sub", r), []string{"dev/.env"})
	}
}

// TestWithoutBirth holds that directories whose file system does not say when they
// were made have names by their paths.
func TestWithoutBirth(t *testing.T) {
	a := fileName("x", "/a", &stat{id: plan.ID{Ino: 5}})
	if b := fileName("x", "/b", &stat{id: plan.ID{Ino: 5}}); a == b {
		t.Errorf("both are %q", a)
	}
	if c, d := fileName("x", "/a", &stat{born: 7}), fileName("x", "/b", &stat{born: 7}); c != d || len(c) > 200 || filepath.Base(c) != c {
		t.Errorf("%q and %q", c, d)
	}
}

// FuzzLedger reads ledgers whose checksum is right, however they came to be, and
// walks by them.
func FuzzLedger(f *testing.F) {
	root, patterns, s := library(f)
	name := s.name(f, ledgerKind)
	at := len(ledgerHead) + 4
	f.Add(s.files[name][at:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		text := seal(append(bytes.Clone(s.files[name][:at]), body...), ledgerHead)
		path, l := readLedger(text, 0)
		if l.broken {
			return // that is one test, not one for each
		}
		if p, again := readLedger(l.text(path, 0), 0); p != path || again.broken || !slices.Equal(again.said, l.said) ||
			!slices.Equal(again.index, l.index) || !slices.EqualFunc(again.known, l.known, known.same) {
			t.Errorf("read %+v, then %+v", l, again)
		}
		other := s.copied()
		other.files[name] = text
		r, err := walkAt(later(), Request{Root: root, Patterns: patterns, Shelf: other})
		if err != nil && refusal(err) == "" {
			t.Error(err)
		}
		if err == nil && !slices.Contains(hits(root, r), "a/.env") {
			t.Errorf("hidden %q", hits(root, r))
		}
	})
}
