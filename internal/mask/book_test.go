package mask

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	scan "go/scanner"
	"go/token"
	"hash"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"jail/internal/memory"
	"jail/internal/sandbox/plan"
)

// library makes a tree with everything that a book can hold, and the book.
func library(t testing.TB) (string, []plan.Pattern, shelf) {
	root := tree(t, "a/.env", "a/pub.pem: "+certificate(t), "key.pem: "+privateKey, "v/pyvenv.cfg", "v/lib/p/k", "pkg/secrets/__init__.py", "pkg/secrets/d/k",
		"vault/a", "vault/b", "t/target/CACHEDIR.TAG", "l -> a", "hard/.env", "alias = hard/.env", "node_modules/m/x", "api.token.json: {}", "\xff\n/.env")
	patterns := append(Builtin(), user("!/vault/", "+vault/b", "v/lib/p/k")...)
	var s shelf
	walkLater(t, root, patterns, &s)
	if s.kept != 1 {
		t.Fatalf("kept %d times", s.kept)
	}
	return root, patterns, s
}

// seal gives a book the checksum of what it holds.
func seal(b []byte) []byte {
	b = bytes.Clone(b)
	at := len(bookHead)
	binary.LittleEndian.PutUint32(b[at:], crc32.ChecksumIEEE(b[at+4:]))
	return b
}

// TestBook writes what it read, byte for byte.
func TestBook(t *testing.T) {
	root, patterns, s := library(t)
	o := opened(t, root, patterns, s.text)
	o.now = time.Unix(0, 0)
	p := opened(t, root, patterns, o.rewrite())
	if len(o.book.known) < 6 || o.book.tree.text == "" || !reflect.DeepEqual(o.book, p.book) {
		t.Errorf("read %+v, then %+v", o.book, p.book)
	}
	if first := walkLater(t, root, patterns, &s); first.Read != 0 || s.kept != 1 {
		t.Errorf("%d directories read, kept %d times", first.Read, s.kept)
	}
}

// TestBookIsNotBelieved holds that no damage changes what a walk finds.
func TestBookIsNotBelieved(t *testing.T) {
	root, patterns, s := library(t)
	other, _, foreign := library(t)
	want := walkTree(t, root, patterns)
	for what, text := range map[string][]byte{
		"of another root": foreign.text, "text": []byte("hello"), "a newer format": bytes.Replace(s.text, []byte("walk 1"), []byte("walk 2"), 1),
		"an older one": []byte("jail-etc 1 5\nend\n"), "only the head": s.text[:len(bookHead)], "less than a checksum": s.text[:len(bookHead)+3],
		"longer": append(bytes.Clone(s.text), 0), "longer, sealed": seal(append(bytes.Clone(s.text), 0)), "doubled": append(bytes.Clone(s.text), s.text...),
	} {
		copied := shelf{text: text}
		r := walkLater(t, root, patterns, &copied)
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, "cannot be read") {
			t.Errorf("%s: notes %+v", what, r.Notes)
		}
		if r.Notes = nil; !reflect.DeepEqual(r, want) {
			t.Errorf("%s: %+v\nwant %+v", what, r, want)
		}
		if again := walkLater(t, root, patterns, &copied); again.Read != 0 || len(again.Notes) != 0 {
			t.Errorf("%s: after that, %d directories were read; %+v", what, again.Read, again.Notes)
		}
	}
	_ = other
	for cut := 1; cut < len(s.text); cut++ {
		if b := opened(t, root, patterns, s.text[:cut]).book; !b.broken || len(b.known) > 0 || b.tree.text != "" {
			t.Fatalf("%d bytes of %d are believed", cut, len(s.text))
		}
	}
	for i := range s.text {
		text := bytes.Clone(s.text)
		text[i] ^= 0x10
		if b := opened(t, root, patterns, text).book; !b.broken {
			t.Fatalf("a change at %d is believed", i)
		}
	}
}

// TestBookOfOthers holds that records are for one list of patterns, and for a
// clock that goes forward.
func TestBookOfOthers(t *testing.T) {
	root, patterns, s := library(t)
	full := walkTree(t, root, patterns).Read
	for what, p := range map[string][]plan.Pattern{
		"one more": append(slices.Clip(patterns), user("x")...), "one less": patterns[1:], "another order": append(slices.Clip(patterns[1:]), patterns[0]),
		"another action": append(slices.Clip(patterns[:len(patterns)-1]), user("!v/lib/p/k")...), "an exception": append(slices.Clip(patterns[:len(patterns)-1]), user("+v/lib/p/k")...),
	} {
		copied, all := s, walkTree(t, root, p).Read
		if r := walkLater(t, root, p, &copied); r.Read < all {
			t.Errorf("%s: %d of %d directories were read", what, r.Read, all)
		}
		if r := walkLater(t, root, patterns, &copied); r.Read != 0 {
			t.Errorf("%s: the first list's records are gone, %d read", what, r.Read)
		}
	}
	layered := slices.Clone(patterns)
	layered[0].Reason.Layer = "user"
	if b := opened(t, root, layered, s.text).book; b.tree.text != "" {
		t.Error("another layer: believed")
	}
	copied := s
	r, err := walkAt(time.Now().Add(-time.Hour), root, plan.ID{}, patterns, copied.memory())
	if err != nil || r.Read != full {
		t.Errorf("an hour earlier, %d of %d directories were read; %v", r.Read, full, err)
	}
	for i := range 10 {
		walkLater(t, root, append(slices.Clip(patterns), user(strings.Repeat("x", i+1))...), &s)
	}
	if n := len(opened(t, root, patterns, s.text).book.sections); n != maxSections {
		t.Errorf("%d sections are kept", n)
	}
}

// TestFresh holds that what has just changed is read again, and what hangs below
// it is not.
func TestFresh(t *testing.T) {
	root := tree(t, "a/b/c/f", "d/e")
	var s shelf
	now := time.Now()
	r, err := walkAt(now, root, plan.ID{}, Builtin(), s.memory())
	if err != nil || r.Read != 5 {
		t.Fatal(r, err)
	}
	if r, err = walkAt(now.Add(time.Second), root, plan.ID{}, Builtin(), s.memory()); err != nil || r.Read != 5 || s.kept != 0 {
		t.Errorf("a second later %d directories were read and %d times kept; %v", r.Read, s.kept, err)
	}
	if r := walkLater(t, root, Builtin(), &s); r.Read != 5 || s.kept != 1 {
		t.Errorf("later %d directories were read, %d times kept", r.Read, s.kept)
	}
	o := opened(t, root, Builtin(), s.text)
	o.now = now // or the clock would seem to go back
	s.text = o.rewrite()
	grow(t, root, "new")
	if r, err = walkAt(time.Now(), root, plan.ID{}, Builtin(), s.memory()); err != nil || r.Read != 1 || s.kept != 1 {
		t.Errorf("after a change %d directories were read, %d times kept; %v", r.Read, s.kept, err)
	}
	grow(t, root, "a/b/new")
	if r := walkLater(t, root, Builtin(), &s); r.Read != 2 || s.kept != 2 {
		t.Errorf("after two changes %d directories were read, %d times kept", r.Read, s.kept)
	}
}

// TestKeepFails holds that it is said when the next launch will know nothing.
func TestKeepFails(t *testing.T) {
	root := tree(t, "api/.env")
	r, err := walkAt(later(), root, plan.ID{}, Builtin(), memory.Memory{Recall: func() []byte { return nil }, Keep: func([]byte) {}})
	if err != nil || !strings.Contains(notes(r), "cannot be written down") {
		t.Errorf("notes %q, %v", notes(r), err)
	}
	for _, m := range []memory.Memory{{}, {Recall: func() []byte { return nil }}} { // a dry run
		if r, err = walkAt(later(), root, plan.ID{}, Builtin(), m); err != nil || notes(r) != "" {
			t.Errorf("notes %q, %v", notes(r), err)
		}
	}
}

// TestOvertaken holds that what another launch hid while this one walked is known.
func TestOvertaken(t *testing.T) {
	root := tree(t, "api/.env")
	var s shelf
	calls := 0
	m := s.memory()
	m.Recall = func() []byte {
		if calls++; calls != 1 {
			return s.text
		}
		// Another launch, whose command hides what it saw.
		walkLater(t, root, Builtin(), &s)
		edit(t, root, "mv api node_modules")
		return nil
	}
	r, err := walkAt(later(), root, plan.ID{}, Builtin(), m)
	if err != nil {
		t.Fatal(err)
	}
	wantPaths(t, "hidden", hits(root, r), []string{"node_modules/.env"})
}

// TestDeviceRenumbered holds that the numbers of devices may change: they do when
// the machine starts anew.
func TestDeviceRenumbered(t *testing.T) {
	root, patterns, s := library(t)
	o := opened(t, root, patterns, s.text)
	body, ok := whole(s.text)
	r := reader{rest: body, dev: 4711}
	if !ok || r.text() != root {
		t.Fatal("the book is not readable")
	}
	r.signed()
	known := r.knowns()
	for i := range known {
		if known[i].id.Dev != 4711 || known[i].id.Ino != o.book.known[i].id.Ino {
			t.Errorf("known %+v", known[i])
		}
	}
}

// TestVersion holds that a memory is not believed by a version that would ask
// other questions. Where it fails: raise sectionVersion, unless the answers are
// the same for every file, and write the sum below.
func TestVersion(t *testing.T) {
	const want = "1 d623154302e2ddb4"
	_, here, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("no sources")
	}
	dir := filepath.Dir(here)
	files, err := filepath.Glob(filepath.Join(dir, "../environ/secret/*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range [...]string{
		"builtin.go", "class.go", "content.go", "fold.go", "glob.go", "guard.go", "pattern.go", "pem.go",
		"ruleset.go", "section.go", "source.go", "token.go", "tokenname.go", "verdict.go", "worker.go",
	} {
		files = append(files, filepath.Join(dir, f))
	}
	h := sha256.New()
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			hashWords(t, h, f)
		}
	}
	if got := sectionVersion + " " + hex.EncodeToString(h.Sum(nil)[:8]); got != want {
		t.Errorf("the questions have changed: %q, was %q", got, want)
	}
}

// hashWords adds the words of a Go file, less its comments.
func hashWords(t *testing.T, h hash.Hash, file string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s scan.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile(file, -1, len(src)), src, nil, 0)
	for {
		_, tok, word := s.Scan()
		if tok == token.EOF {
			return
		}
		fmt.Fprintln(h, tok, word)
	}
}

// FuzzBook reads books whose checksum is right, however they came to be.
func FuzzBook(f *testing.F) {
	root, patterns, s := library(f)
	at := len(bookHead) + 4
	f.Add(s.text[at:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		text := seal(append(bytes.Clone(s.text[:at]), body...))
		o := opened(t, root, patterns, text)
		if o.book.broken {
			return
		}
		// What is believed can be written and read again, and walked by.
		if p := opened(t, root, patterns, o.rewrite()); !reflect.DeepEqual(o.book.known, p.book.known) || !reflect.DeepEqual(o.book.tree, p.book.tree) {
			t.Errorf("read %+v, then %+v", o.book, p.book)
		}
		if _, err := walkAt(later(), root, plan.ID{}, patterns, memory.Memory{Recall: func() []byte { return text }}); err != nil {
			t.Error(err)
		}
	})
}
