package mask

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A reach says at which paths an inode can be reached, and at which it is hidden.
type reach struct{ open, hidden []string }

// look finds out what can be reached although r hides something.
func look(t *testing.T, root string, r Result) map[plan.ID]reach {
	t.Helper()
	covered := map[string]bool{}
	for _, h := range r.Hits {
		covered[h.Path] = true
	}
	all := map[plan.ID]reach{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		id := idAt(t, p)
		name, _ := filepath.Rel(root, p)
		at := all[id]
		if covered[p] {
			at.hidden = append(at.hidden, name)
		} else {
			at.open = append(at.open, name)
		}
		all[id] = at
		if covered[p] && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A trick is what a command that ran in the jail, or somebody on the host, did
// between two runs.
type trick struct {
	name    string
	tree    []string
	secret  string   // what the first run hides
	config  []string // user patterns of both runs
	do      []string
	config2 []string // further ones of the second run
}

// tricks move what was hidden to where no pattern finds it, by means that are
// there inside: everything but to rename, remove, link or write a mount point.
var tricks = []trick{
	{name: "a directory that is not searched", tree: []string{"api/.env", "api/x"}, secret: "api/.env", do: []string{"mv api node_modules"}},
	{name: "below one", tree: []string{"api/.env", "node_modules/m/x"}, secret: "api/.env", do: []string{"mv api node_modules/m/api"}},
	{name: "site-packages", tree: []string{"api/.env", "x/lib/"}, secret: "api/.env", do: []string{"mv api x/lib/site-packages"}},
	{name: "git's directory", tree: []string{"api/.env", ".git/config"}, secret: "api/.env", do: []string{"mv api .git/api"}},
	{name: "a virtual environment planted", tree: []string{"app/lib/.env"}, secret: "app/lib/.env", do: []string{"put app/pyvenv.cfg"}},
	{name: "a virtual environment planted, and moved into", tree: []string{"api/.env", "app/x"}, secret: "api/.env", do: []string{"put app/pyvenv.cfg", "mv api app/bin"}},
	{name: "a cache planted", tree: []string{"api/.env", "b/x"}, secret: "api/.env", do: []string{"mv api b/target", "put b/target/CACHEDIR.TAG"}},
	{name: "a cache planted in place", tree: []string{"b/target/.env"}, secret: "b/target/.env", do: []string{"put b/target/CACHEDIR.TAG"}},
	{name: "a decoy in its place", tree: []string{"api/.env"}, secret: "api/.env", do: []string{"mv api node_modules", "put api/.env: nothing"}},
	{name: "two directories swapped", tree: []string{"api/.env", "node_modules/m/.env"}, secret: "api/.env", do: []string{"swap api node_modules"}},
	{name: "an exception's path", tree: []string{"api/dev.pem: " + privateKey, "certs/dev.pem: " + privateKey}, secret: "api/dev.pem", config: []string{"+certs/dev.pem"}, do: []string{"mv certs old", "mv api certs"}},
	{name: "an exception's path, a directory", tree: []string{"api/secrets/k", "test/x"}, secret: "api/secrets", config: []string{"+!test/secrets/"}, do: []string{"rm test", "mv api test"}},
	{name: "an exception below a path", tree: []string{"api/secrets/dummy", "test/secrets/dummy"}, secret: "api/secrets", config: []string{"+!test/secrets/dummy"}, do: []string{"swap api test"}},
	{name: "an exception for everything in a directory", tree: []string{"api/.env", "fixtures/x"}, secret: "api/.env", config: []string{"+fixtures/**"}, do: []string{"mv api fixtures/api"}},
	{name: "an exception of the next command alone", tree: []string{"api/.env", "dev/.env"}, secret: "api/.env", do: []string{"swap api dev"}, config2: []string{"+dev/.env"}},
	{name: "a pattern with a path", tree: []string{"conf/prod.yml"}, secret: "conf/prod.yml", config: []string{"conf/prod.yml"}, do: []string{"mv conf conf2"}},
	{name: "a pattern with a path, further down", tree: []string{"a/b/conf/prod.yml"}, secret: "a/b/conf/prod.yml", config: []string{"!a/**/prod.yml"}, do: []string{"mv a/b b"}},
	{name: "a denied directory", tree: []string{"a/secrets/k"}, secret: "a/secrets", do: []string{"mv a node_modules"}},
	{name: "a directory's pattern with a path", tree: []string{"a/vault/k"}, secret: "a/vault", config: []string{"!a/vault/"}, do: []string{"mv a b"}},
	{name: "a part of a denied directory", tree: []string{"vault/a", "vault/b"}, secret: "vault/a", config: []string{"!/vault/", "+!vault/b"}, do: []string{"mv vault v2"}},
	{name: "a part of a source package", tree: []string{"p/secrets/__init__.py", "p/secrets/k.txt"}, secret: "p/secrets/k.txt", do: []string{"mv p/secrets p/plain"}},
	{name: "a source package of another language", tree: []string{"p/secrets/__init__.py", "p/secrets/k.rs"}, secret: "p/secrets/k.rs", do: []string{"put p/secrets/mod.rs"}},
	{name: "a hidden directory in the place of a source package", tree: []string{"p/secrets/__init__.py", "p/secrets/k.txt", "other/x"}, secret: "p/secrets/k.txt", do: []string{"swap p/secrets other"}},
	{name: "a closed directory in its place", tree: []string{"api/.env"}, secret: "api/.env", do: []string{"mv api node_modules", "put api/", "chmod 0 api"}},
	{name: "a sample in a source package", tree: []string{"p/secrets/__init__.py", "p/secrets/.env.example"}, secret: "p/secrets/.env.example", do: []string{"mv p/secrets plain"}},
	{name: "what a link leads to", tree: []string{"svc/.env -> ../conf/dev", "conf/dev"}, secret: "conf/dev", do: []string{"mv svc svc2", "mv conf conf2"}},
	{name: "what a link leads to, the link out of sight", tree: []string{"svc/.env -> ../conf/dev", "conf/dev"}, secret: "conf/dev", do: []string{"mv svc node_modules"}},
	{name: "a link on the way turned", tree: []string{"cur -> rel/1", "rel/1/app.yml", "rel/2/app.yml"}, secret: "rel/1/app.yml", config: []string{"cur/app.yml"}, do: []string{"rm cur", "symlink rel/2 cur"}},
	{name: "a link in the place of a directory", tree: []string{"api/.env"}, secret: "api/.env", do: []string{"mv api node_modules", "symlink node_modules api"}},
	{name: "another name of it", tree: []string{"api/.env", "doc/notes = api/.env"}, secret: "api/.env", do: []string{"mv doc node_modules"}},
	{name: "both names of it", tree: []string{"api/.env", "doc/notes = api/.env"}, secret: "api/.env", do: []string{"put node_modules/", "mv doc node_modules/doc", "mv api node_modules/api"}},
	{name: "names swapped", tree: []string{"api/.env", "doc/notes = api/.env"}, secret: "api/.env", do: []string{"swap api doc", "mv api node_modules"}},
	{name: "many at once", tree: []string{"a/b/.env", "a/c/x.key", "a/d/secrets/k"}, secret: "a/c/x.key", do: []string{"mv a node_modules"}},
	{name: "a directory closed around it", tree: []string{"api/.env", "node_modules/z/"}, secret: "api/.env", do: []string{"mv api node_modules/z/api", "chmod 0 node_modules/z"}},
	{name: "a directory that nobody can list around it", tree: []string{"api/.env", "node_modules/z/"}, secret: "api/.env", do: []string{"mv api node_modules/z/api", "chmod 100 node_modules/z"}},
	{name: "a private key by its content", tree: []string{"tls/server.pem: " + privateKey}, secret: "tls/server.pem", do: []string{"mv tls node_modules"}},
	{name: "a pattern for a name, letters' case", tree: []string{"api/.ENV"}, secret: "api/.ENV", do: []string{"mv api Node_Modules", "mv Node_Modules node_modules"}},
	{name: "a name with a newline on the way", tree: []string{"api/.env", "node_modules/a\nb/"}, secret: "api/.env", do: []string{"mv api node_modules/a\nb/api"}},
	{name: "mount point of a nested directory", tree: []string{"a/.env.d/.env", "a/x"}, secret: "a/.env.d", do: []string{"mv a node_modules"}},
}

// TestTricks holds that a second and a third run hide what the first one did.
func TestTricks(t *testing.T) {
	if len(tricks) < 20 {
		t.Error("twenty tricks are promised")
	}
	for _, c := range tricks {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			root := tree(t, c.tree...)
			patterns := append(Builtin(), user(c.config...)...)
			var s shelf
			first := walkLater(t, root, patterns, &s)
			id := idAt(t, filepath.Join(root, c.secret))
			if at := look(t, root, first)[id]; len(at.open) > 0 || len(at.hidden) == 0 {
				t.Fatalf("the first run leaves %q open and hides %q", at.open, at.hidden)
			}
			edit(t, root, c.do...)
			defer os.Chmod(filepath.Join(root, "node_modules/z"), 0o755)
			if at := look(t, root, walkTree(t, root, append(slices.Clip(patterns), user(c.config2...)...)))[id]; len(at.open) == 0 {
				t.Error("without a memory it is hidden as well, so this is no trick")
			}
			for _, p := range [][]plan.Pattern{append(slices.Clip(patterns), user(c.config2...)...), patterns} {
				for range 2 {
					r := walkLater(t, root, p, &s)
					if closed := root + "/node_modules/z"; os.Geteuid() != 0 && slices.ContainsFunc(r.Hits, func(h plan.Hit) bool { return h.Path == closed }) {
						continue
					}
					if at := look(t, root, r)[id]; len(at.open) > 0 || len(at.hidden) == 0 {
						t.Errorf("%q are open, %q hidden", at.open, at.hidden)
					}
				}
			}
		})
	}
}

// An inmate changes a tree at random by what is possible inside: what is hidden is
// a mount point, which can be neither moved nor removed nor written, but moves
// with the directories around it.
type inmate struct {
	gardener
	hidden []string
}

func (m *inmate) dig() string {
	dirs, files := m.all()
	from, to := pick(&m.gardener, slices.Concat(dirs[1:], files)), filepath.Join(pick(&m.gardener, dirs), names[m.IntN(len(names))])
	if m.inside(from) || m.inside(to) {
		return ""
	}
	what := m.IntN(8)
	switch what {
	case 0:
		os.MkdirAll(to, 0o755)
	case 1:
		m.write(to)
	case 2, 3, 4, 5:
		if os.Rename(from, to) == nil {
			m.follow(from, to)
		}
	case 6:
		other := pick(&m.gardener, dirs)
		if !m.inside(other) && unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE) == nil {
			m.follow(from, m.root+"/-")
			m.follow(other, from)
			m.follow(m.root+"/-", other)
		}
	case 7:
		if !slices.ContainsFunc(m.hidden, func(h string) bool { return plan.Below(h, from) }) {
			os.RemoveAll(from)
		}
	}
	return strings.Join([]string{strconv.Itoa(what), from, to}, " ")
}

// follow keeps up with a rename.
func (m *inmate) follow(from, to string) {
	for i, h := range m.hidden {
		if plan.Below(h, from) {
			m.hidden[i] = to + h[len(from):]
		}
	}
}

// inside reports whether a path is hidden or lies in what is.
func (m *inmate) inside(path string) bool {
	return slices.ContainsFunc(m.hidden, func(h string) bool { return plan.Below(path, h) })
}

// TestOnceHidden is the property behind the tricks: what was hidden once is hidden
// in each later run, by all its names.
func TestOnceHidden(t *testing.T) {
	private, _, _ := keys(t)
	m := &inmate{gardener: gardener{rand.New(rand.NewPCG(*seed, 2)), tree(t), [2]string{private, certificate(t)}}}
	for i := range 30 {
		grow(t, m.root, fmt.Sprintf("a%d/b/.env", i), fmt.Sprintf("b/c%d/secrets/k", i), fmt.Sprintf("c%d/x.key", i))
	}
	for range 60 {
		m.gardener.dig()
	}
	os.Chmod(m.root, 0o755)
	var s shelf
	once := map[plan.ID]string{}
	moved, last := 0, map[plan.ID]string{}
	for round := range 100 {
		r := walkLater(t, m.root, gardenPatterns, &s)
		m.hidden = m.hidden[:0]
		all := look(t, m.root, r)
		for _, h := range r.Hits {
			m.hidden = append(m.hidden, h.Path)
			if once[h.ID] == "" && len(all[h.ID].open) == 0 {
				once[h.ID] = h.Path
			}
			if last[h.ID] != h.Path {
				moved++
			}
			last[h.ID] = h.Path
		}
		for id, was := range once {
			if open := all[id].open; len(open) > 0 {
				t.Fatalf("seed %d, round %d: %q, hidden as %q before, is open", *seed, round, open, was)
			}
		}
		tick()
		for range m.IntN(6) {
			m.dig()
		}
	}
	if t.Logf("%d things were hidden, and moved %d times", len(once), moved-len(once)); moved < len(once)+5 {
		t.Error("nothing moved")
	}
}
