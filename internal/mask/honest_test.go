package mask

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"jail/internal/sandbox/plan"
)

// TestHonest holds that what people do to their own projects has the effect that
// they want, and that no launch pays twice for it.
func TestHonest(t *testing.T) {
	public := certificate(t)
	for _, c := range []struct {
		name    string
		tree    []string
		config  []string
		do      []string
		config2 []string // instead of config
		want    []string // what the second run hides
		note    string   // what it says
		more    bool     // a third one must look everywhere again
	}{
		{name: "an editor saves what an exception opens", tree: []string{"certs/dev.pem: " + privateKey, "x.key"}, config: []string{"+certs/dev.pem"}, do: []string{"put certs/new: " + privateKey, "mv certs/new certs/dev.pem"}, want: []string{"!x.key"}},
		{name: "an editor saves what is hidden", tree: []string{".env"}, do: []string{"put new: x", "mv new .env"}, want: []string{".env"}},
		{name: "an exception for what was hidden", tree: []string{"a/.env", ".env"}, config2: []string{"+a/.env"}, want: []string{".env"}},
		{name: "an exception for what was hidden, by name", tree: []string{"a/.env"}, config2: []string{"+.env"}},
		{name: "an exception by name, the directory renamed", tree: []string{"a/.env"}, do: []string{"mv a b"}, config2: []string{"+.env"}},
		{name: "an exception below a hidden directory", tree: []string{"vault/a", "vault/b"}, config: []string{"!/vault/"}, config2: []string{"!/vault/", "+!vault/b"}, want: []string{"!vault/a"}},
		{name: "an exception below secrets", tree: []string{"a/secrets/dev", "a/secrets/prod"}, config2: []string{"+!a/secrets/dev"}, want: []string{"!a/secrets/prod"}},
		{name: "an exception for what a link leads to", tree: []string{".env -> dev", "dev"}, config2: []string{"+dev"}, want: []string{".env"}},
		{name: "an exception for one of two names", tree: []string{"a/.env", "doc = a/.env"}, config2: []string{"+.env"}},
		{name: "a private key becomes a certificate", tree: []string{"a.pem: " + privateKey}, do: []string{"put a.pem: " + public}},
		{name: "a link to nothing gets a target", tree: []string{"a.pem -> b"}, do: []string{"put b: " + public}},
		{name: "a directory becomes a virtual environment", tree: []string{".env/x"}, do: []string{"put .env/pyvenv.cfg"}},
		{name: "a directory becomes a source package", tree: []string{"secrets/a.py", "secrets/k"}, do: []string{"put secrets/__init__.py"}, want: []string{"!secrets/k"}},
		{name: "a source package is one no more", tree: []string{"secrets/__init__.py", "secrets/k"}, do: []string{"rm secrets/__init__.py"}, want: []string{"!secrets"}},
		{name: "a pattern taken back", tree: []string{"conf/x"}, config: []string{"conf/x"}, config2: []string{"y"}},
		{name: "removed", tree: []string{".env", "node_modules/m/x"}, do: []string{"rm .env"}},
		{name: "renamed on purpose", tree: []string{".env"}, do: []string{"mv .env settings"}, want: []string{"settings"}, note: "settings\" stays hidden, because it was hidden as"},
		{name: "renamed, and renewed by a copy", tree: []string{".env"}, do: []string{"mv .env old", "put settings: x", "rm old"}},
		{name: "renamed to an exception's path", tree: []string{".env"}, config: []string{"+settings"}, do: []string{"mv .env settings"}, want: []string{"settings"}, note: "settings\" stays hidden"},
		{name: "a directory renamed", tree: []string{"api/.env"}, do: []string{"mv api backend"}, want: []string{"backend/.env"}},
		{name: "one of two names renamed", tree: []string{"api/.env", "x/doc = api/.env"}, do: []string{"mv x y"}, want: []string{"api/.env", "y/doc"}},
		{name: "both names renamed", tree: []string{"a/.env", "b/.env = a/.env"}, do: []string{"mv a c", "mv b d"}, want: []string{"c/.env", "d/.env"}},
		{name: "a dependency installed", tree: []string{".env"}, do: []string{"put node_modules/m/.env"}, want: []string{".env"}},
		{name: "a virtual environment around it", tree: []string{"v/lib/x.key"}, do: []string{"put v/pyvenv.cfg"}, want: []string{"!v/lib/x.key"}, note: "stays hidden, because"},
		{name: "another pattern hides it too", tree: []string{"a/.env"}, config2: []string{"!a/"}, want: []string{"!a"}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			root := tree(t, c.tree...)
			var s shelf
			walkLater(t, root, append(Builtin(), user(c.config...)...), &s)
			edit(t, root, c.do...)
			if c.config2 == nil {
				c.config2 = c.config
			}
			patterns := append(Builtin(), user(c.config2...)...)
			r := walkLater(t, root, patterns, &s)
			wantPaths(t, "hidden", hits(root, r), c.want)
			if text := notes(r); c.note == "" && text != "" || !strings.Contains(text, c.note) {
				t.Errorf("notes %q", text)
			}
			for _, o := range r.Open {
				if slices.ContainsFunc(r.Hits, func(h plan.Hit) bool { return h.Path == o.Path }) {
					t.Errorf("%q is hidden, and said to be open", o.Path)
				}
			}
			s.ledger, s.walk = 0, 0
			again := walkLater(t, root, patterns, &s)
			wantPaths(t, "then hidden", hits(root, again), c.want)
			if again.Read+again.Sought != 0 || s.ledger+s.walk != 0 {
				t.Errorf("a third run reads %d directories and %d more, and writes %d and %d times", again.Read, again.Sought, s.ledger, s.walk)
			}
		})
	}
}

func notes(r Result) string {
	var b strings.Builder
	for _, n := range r.Notes {
		b.WriteString(n.Text + "\n")
	}
	return b.String()
}

// TestExceptionOfOneCommand lets commands with patterns of their own take turns.
func TestExceptionOfOneCommand(t *testing.T) {
	root := tree(t, "dev/.env", "api/.env")
	all, dev := Builtin(), append(Builtin(), user("+dev/.env", "!vault/")...)
	var s shelf
	for i := range 3 {
		wantPaths(t, "for all", hits(root, walkLater(t, root, all, &s)), []string{"api/.env", "dev/.env"})
		r := walkLater(t, root, dev, &s)
		wantPaths(t, "for dev", hits(root, r), []string{"api/.env"})
		if i > 0 && (r.Read > 0 || s.walk > 2 || s.ledger > 1) {
			t.Errorf("turn %d read %d directories, and %d and %d were written", i, r.Read, s.walk, s.ledger)
		}
	}
	grow(t, root, "vault/k")
	wantPaths(t, "for dev", hits(root, walkLater(t, root, dev, &s)), []string{"api/.env", "!vault"})
	// What one command's pattern hid sleeps while others run, and is not forgotten.
	edit(t, root, "put node_modules/", "mv vault node_modules/vault")
	wantPaths(t, "for all", hits(root, walkLater(t, root, all, &s)), []string{"api/.env", "dev/.env"})
	wantPaths(t, "for dev", hits(root, walkLater(t, root, dev, &s)), []string{"api/.env", "!node_modules/vault"})
}

// TestInodeUsedAgain holds that a new file with the number of a hidden one is
// none.
func TestInodeUsedAgain(t *testing.T) {
	root := tree(t, ".env", "innocent")
	var s shelf
	walkLater(t, root, Builtin(), &s)
	k := s.known(t)[0]
	if k.born == 0 {
		t.Skip("this file system says of no file when it was born")
	}
	k.born++
	for _, c := range []struct{ path, file string }{{"innocent", "innocent"}, {"gone", "innocent"}, {"gone", ".env"}} {
		k.id, k.path, k.origin = plan.ID{Ino: idAt(t, filepath.Join(root, c.file)).Ino}, c.path, c.path
		s.rewrite(t, s.name(t, ledgerKind), func(l *ledger) { l.known = []known{k} })
		r := walkLater(t, root, Builtin(), &s)
		wantPaths(t, "hidden", hits(root, r), []string{".env"})
		if searched := r.Sought > 0; searched != (c.path == "gone" && c.file != ".env") {
			t.Errorf("%+v: %d directories were read", c, r.Sought)
		}
		if got := s.known(t); len(got) != 1 || got[0].path != ".env" || got[0].born == k.born {
			t.Errorf("remembered %+v", got)
		}
	}
}

// TestForgotten holds that what is nowhere any more is looked for once.
func TestForgotten(t *testing.T) {
	root := tree(t, "a/.env", "b/x.key", "node_modules/m/n/x")
	var s shelf
	walkLater(t, root, Builtin(), &s)
	edit(t, root, "rm a/.env")
	if err := os.Rename(root+"/b", filepath.Dir(root)+"/outside"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * clockTick) // what has just changed is read more than once
	if r := walkLater(t, root, Builtin(), &s); len(r.Hits) != 0 || r.Read != 2 || r.Sought != 5 || r.Dirs != 2 {
		t.Errorf("hidden %v, %d directories read, %d to find it, %d searched", r.Hits, r.Read, r.Sought, r.Dirs)
	}
	if known := s.known(t); len(known) != 0 {
		t.Errorf("remembered %+v", known)
	}
	if r := walkLater(t, root, Builtin(), &s); r.Read+r.Sought != 0 {
		t.Errorf("%d directories read again", r.Read+r.Sought)
	}
}

// TestForgottenAmidWork holds that what is gone is forgotten as well where others
// write often.
func TestForgottenAmidWork(t *testing.T) {
	root := tree(t, ".env", "work/x", "more/x", "node_modules/a/b/c")
	var s shelf
	walkLater(t, root, Builtin(), &s)
	edit(t, root, "rm .env")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(3 * clockTick):
			}
			os.WriteFile(root+"/work/y", nil, 0o644)
			os.Remove(root + "/more/y")
			os.Rename(root+"/work/y", root+"/more/y")
		}
	}()
	defer func() { close(stop); <-done }()
	walkLater(t, root, Builtin(), &s)
	if known := s.known(t); len(known) != 0 {
		t.Errorf("remembered %+v", known)
	}
}

// TestSleepers holds that what no pattern hides any more is forgotten some day.
func TestSleepers(t *testing.T) {
	root := tree(t, "conf/x", "y")
	mine := user("conf/x")
	var s shelf
	walkLater(t, root, mine, &s)
	for _, c := range []struct{ days, known int }{{1, 1}, {forgetAfter - 1, 1}, {forgetAfter + 2, 0}} {
		now := later().AddDate(0, 0, c.days)
		other := s.copied()
		if r := walkThen(t, now, root, user("none"), other); len(r.Hits) != 0 {
			t.Error(r)
		}
		if known := other.known(t); len(known) != c.known {
			t.Errorf("after %d days %+v", c.days, known)
		}
	}
}

// TestOriginOutlives holds that another pattern, by which something is hidden
// where it moved, does not make that its place.
func TestOriginOutlives(t *testing.T) {
	root := tree(t, "api/x.cfg", "dev/y")
	var s shelf
	for i, c := range []struct {
		patterns []plan.Pattern
		do       []string
		want     []string
	}{
		{user("!api/x.cfg"), []string{"swap api dev"}, []string{"!api/x.cfg"}},
		{user("*.cfg"), nil, []string{"dev/x.cfg"}},
		{user("*.cfg", "+dev/x.cfg"), nil, []string{"dev/x.cfg"}},
		{user("!api/x.cfg", "+dev/x.cfg"), nil, []string{"!dev/x.cfg"}},
	} {
		r := walkLater(t, root, c.patterns, &s)
		if got := hits(root, r); !slices.Equal(got, c.want) {
			t.Errorf("run %d hides %q, want %q", i, got, c.want)
		}
		edit(t, root, c.do...)
	}
}

// TestNamesDoNotMultiply holds that what moves often is remembered once for each of
// its names.
func TestNamesDoNotMultiply(t *testing.T) {
	root := tree(t, "api/.env", "doc/notes = api/.env", "out/")
	if err := os.Link(root+"/api/.env", filepath.Dir(root)+"/a name outside"); err != nil {
		t.Fatal(err)
	}
	var s shelf
	walkLater(t, root, Builtin(), &s)
	for i := range 6 {
		edit(t, root, fmt.Sprintf("mv %s %s", []string{"api", "node_modules", "backend"}[i%3], []string{"node_modules", "backend", "api"}[i%3]))
		edit(t, root, fmt.Sprintf("mv %s %s", []string{"doc", "out/doc"}[i%2], []string{"out/doc", "doc"}[i%2]))
		r := walkLater(t, root, Builtin(), &s)
		if known := s.known(t); len(known) != 2 || len(r.Hits) != 2 {
			t.Errorf("move %d: hidden %q, remembered %+v", i, hits(root, r), known)
		}
	}
}
