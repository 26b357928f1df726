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
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/cputime"
	"jail/internal/sandbox/plan"
)

// library makes a tree with everything that can be written down, and that.
func library(t testing.TB) (string, []plan.Pattern, *shelf) {
	root := tree(t, "a/.env", "a/pub.pem: "+certificate(t), "key.pem: "+privateKey, "v/pyvenv.cfg", "v/lib/p/k", "pkg/secrets/__init__.py", "pkg/secrets/d/k",
		"vault/a", "vault/b", "t/target/CACHEDIR.TAG", "l -> a", "hard/.env", "alias = hard/.env", "node_modules/m/x", "api.token.json: {}", "\xff\n/.env")
	patterns := append(Builtin(), user("!/vault/", "+!vault/b", "v/lib/p/k")...)
	var s shelf
	walkLater(t, root, patterns, &s)
	if s.ledger != 1 || s.walk != 1 {
		t.Fatalf("written %d and %d times", s.ledger, s.walk)
	}
	return root, patterns, &s
}

// seal gives a file the checksum of what it holds.
func seal(b []byte, head string) []byte {
	b = bytes.Clone(b)
	at := len(head)
	binary.LittleEndian.PutUint32(b[at:], crc32.ChecksumIEEE(b[at+4:]))
	return b
}

// damaged returns what is no file of this format, each by what is wrong with it.
func damaged(text []byte, head string) map[string][]byte {
	return map[string][]byte{
		"text": []byte("hello"), "nothing": {}, "another format": bytes.Replace(text, []byte(" 1\n"), []byte(" 2\n"), 1),
		"only the head": text[:len(head)], "less than a checksum": text[:len(head)+3], "longer": append(bytes.Clone(text), 0),
		"longer, sealed": seal(append(bytes.Clone(text), 0), head), "doubled": append(bytes.Clone(text), text...),
		"cut": text[:len(text)-1], "cut, sealed": seal(text[:len(text)-1], head),
	}
}

// TestRecordsAreNotBelieved holds that no damage to records changes what a walk
// finds, and that nobody is told.
func TestRecordsAreNotBelieved(t *testing.T) {
	root, patterns, s := library(t)
	_, _, foreign := library(t)
	want := walkTree(t, root, patterns)
	name := s.name(t, recordsKind)
	all := damaged(s.files[name], recordsHead)
	all["of another root"] = foreign.files[foreign.name(t, recordsKind)]
	all["a ledger"] = s.files[s.name(t, ledgerKind)]
	for _, what := range slices.Sorted(maps.Keys(all)) {
		other := s.copied()
		other.files[name] = all[what]
		if r := walkLater(t, root, patterns, other); !reflect.DeepEqual(r, want) {
			t.Errorf("%s: %+v\nwant %+v", what, r, want)
		}
		if again := walkLater(t, root, patterns, other); again.Read != 0 {
			t.Errorf("%s: after that, %d directories were read", what, again.Read)
		}
	}
	text, key := s.files[name], s.records(t, root, patterns)
	if key.tree.text == "" {
		t.Fatal("there are no records")
	}
	for i := range text {
		changed := bytes.Clone(text)
		changed[i] ^= 0x10
		other := &shelf{files: map[string][]byte{name: changed}}
		if r := other.records(t, root, patterns); r.tree.text != "" || len(r.seek) > 0 {
			t.Fatalf("a change at %d is believed", i)
		}
		other.files[name] = text[:i]
		if r := other.records(t, root, patterns); r.tree.text != "" || len(r.seek) > 0 {
			t.Fatalf("%d bytes of %d are believed", i, len(text))
		}
	}
}

// TestRecordsOfOthers holds that records are for one list of patterns, and for a
// clock that goes forward.
func TestRecordsOfOthers(t *testing.T) {
	root, patterns, s := library(t)
	full := walkTree(t, root, patterns).Read
	for what, p := range map[string][]plan.Pattern{
		"one more": append(slices.Clip(patterns), user("x")...), "one less": patterns[1:], "another order": append(slices.Clip(patterns[1:]), patterns[0]),
		"another action": append(slices.Clip(patterns[:len(patterns)-1]), user("!v/lib/p/k")...), "an exception": append(slices.Clip(patterns[:len(patterns)-1]), user("+v/lib/p/k")...),
	} {
		other, all := s.copied(), walkTree(t, root, p).Read
		if r := walkLater(t, root, p, other); r.Read < all {
			t.Errorf("%s: %d of %d directories were read", what, r.Read, all)
		}
		if r := walkLater(t, root, patterns, other); r.Read != 0 {
			t.Errorf("%s: the first list's records are gone, %d read", what, r.Read)
		}
	}
	layered := slices.Clone(patterns)
	layered[0].Reason.Layer = "user"
	if s.records(t, root, layered).tree.text != "" {
		t.Error("another layer: believed")
	}
	if r := walkThen(t, time.Now().Add(-time.Hour), root, patterns, s.copied()); r.Read != full {
		t.Errorf("an hour earlier, %d of %d directories were read", r.Read, full)
	}
	for i := range 10 {
		walkLater(t, root, append(slices.Clip(patterns), user(strings.Repeat("x", i+1))...), s)
	}
	if n := len(s.records(t, root, patterns).sections); n != maxSections {
		t.Errorf("%d sections are kept", n)
	}
}

// TestRecordsAreBounded holds that what has no room is left out, and that what was
// written before is not.
func TestRecordsAreBounded(t *testing.T) {
	key := func(i int) string { return fmt.Sprintf("%016d", i) }
	large := func(i int) section { return section{key(i), strings.Repeat(string(rune('a'+i)), maxFile/2-100)} }
	o := records{sections: []section{large(1), large(2), large(3)}}
	text := o.text("/x", key(0), 1, []byte("small"))
	if len(text) > maxFile+1000 {
		t.Errorf("%d bytes", len(text))
	}
	if r := readRecords(text, key(0), 1); len(r.sections) != 2 {
		t.Errorf("%d others are kept", len(r.sections))
	}
	if text := o.text("/x", key(0), 1, make([]byte, maxFile)); text != nil {
		t.Errorf("%d bytes", len(text))
	}
}

// TestFresh holds that what has just changed is read again, and what hangs below
// it is not.
func TestFresh(t *testing.T) {
	root := tree(t, "a/b/c/f", "d/e")
	var s shelf
	now := time.Now()
	if r := walkThen(t, now, root, Builtin(), &s); r.Read != 5 {
		t.Fatal(r)
	}
	if r := walkThen(t, now.Add(time.Second), root, Builtin(), &s); r.Read != 5 || s.walk != 0 {
		t.Errorf("a second later %d directories were read and %d times kept", r.Read, s.walk)
	}
	if r := walkThen(t, now.Add(5*time.Second), root, Builtin(), &s); r.Read != 5 || s.walk != 1 {
		t.Errorf("later %d directories were read, %d times kept", r.Read, s.walk)
	}
	grow(t, root, "new")
	if r := walkThen(t, now.Add(5*time.Second), root, Builtin(), &s); r.Read != 1 || s.walk != 2 {
		t.Errorf("after a change %d directories were read, %d times kept", r.Read, s.walk)
	}
	grow(t, root, "a/b/new")
	if r := walkLater(t, root, Builtin(), &s); r.Read != 1 || s.walk != 3 {
		t.Errorf("after another %d directories were read, %d times kept", r.Read, s.walk)
	}
	if s.ledger != 1 {
		t.Errorf("the ledger was written %d times", s.ledger)
	}
}

// TestDeepRecords walks a chain of directories whose paths are longer than any call takes,
// in a time that does not grow with its square.
func TestDeepRecords(t *testing.T) {
	root := tree(t, ".env")
	const levels = 4000
	f, err := openRoot(root, plan.ID{})
	if err != nil {
		t.Fatal(err)
	}
	for range levels {
		if err := unix.Mkdirat(f, "d", 0o755); err != nil {
			t.Fatal(err)
		}
		next, err := openat(f, "d", openDir)
		unix.Close(f)
		if f = next; err != nil {
			t.Fatal(err)
		}
	}
	unix.Close(f)
	var s shelf
	for _, want := range []int{levels + 1, 0} {
		start := cputime.Spent()
		r := walkLater(t, root, Builtin(), &s)
		wantPaths(t, "hidden", hits(root, r), []string{".env"})
		if r.Dirs != levels+1 || r.Read > want {
			t.Errorf("%d directories searched, %d read", r.Dirs, r.Read)
		}
		if took := cputime.Spent() - start; took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
	}
}

// TestVersion holds that a memory is not believed by a version that would ask
// other questions. Where it fails: raise sectionVersion, unless the answers are
// the same for every file, and write the sum below.
func TestVersion(t *testing.T) {
	const want = "10 ebe8725e620adb22"
	files, err := filepath.Glob("../environ/secret/*.go")
	settings, err2 := filepath.Glob("../settings/*.go")
	if err != nil || err2 != nil || len(files) == 0 || len(settings) == 0 {
		t.Fatal(files, settings, err, err2)
	}
	files = append(append(files, settings...), "builtin.go", "class.go", "content.go", "dirents.go", "fold.go", "glob.go", "guard.go", "pattern.go", "pem.go",
		"ruleset.go", "section.go", "source.go", "token.go", "tokenname.go", "verdict.go", "worker.go")
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

// FuzzRecords reads records whose checksum is right, however they came to be, and
// walks by them.
func FuzzRecords(f *testing.F) {
	root, patterns, s := library(f)
	name := s.name(f, recordsKind)
	at := len(recordsHead) + 4
	f.Add(s.files[name][at:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		text := seal(append(bytes.Clone(s.files[name][:at]), body...), recordsHead)
		other := s.copied()
		other.files[name] = text
		if believed := other.records(t, root, patterns); believed.tree.text != "" {
			if _, err := walkAt(later(), Request{Root: root, Patterns: patterns, Shelf: other, DryRun: true}); err != nil {
				t.Error(err)
			}
		}
		// What is believed can be written and read again.
		key := string(body[:min(len(body), 16)])
		r := readRecords(text, key, later().Unix())
		var w writer
		w.b = writeSection(r.seek, nil, r.tree, 0)
		if again := readRecords(r.text(root, key, 0, w.b), key, 0); len(key) == 16 && (!slices.Equal(again.seek, r.seek) || again.tree != r.tree) {
			t.Errorf("read %+v, then %+v", r, again)
		}
	})
}
