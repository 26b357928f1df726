package mask

import (
	flags "flag" // the package has a flag of its own
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// seed is that of the random changes. make soak has another one each time; a run in which
// something fails by chance should tell who looks next what it was.
var seed = flags.Uint64("seed", 4, "of the random changes to a tree")

// A gardener changes a tree at random, as a host, a build or an attacker might.
type gardener struct {
	*rand.Rand
	root string
	pem  [2]string // private and public
}

var names = []string{
	"a", "b", "src", "lib", "bin", "node_modules", "site-packages", "target", "v", "secrets", ".env", ".git", "vault",
	".env.local", ".env.example", "x.pem", "y.pem", "z.key", "api.token.json", "pyvenv.cfg", "CACHEDIR.TAG",
	"__init__.py", "mod.rs", "index.js", "main.py", "main.rs", "keep", "notes.txt", ".vscode", "certs", "dev.pem",
}

// all returns the paths in the tree, the root first.
func (g *gardener) all() (dirs, files []string) {
	_ = filepath.WalkDir(g.root, func(p string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir():
			dirs = append(dirs, p)
		default:
			files = append(files, p)
		}
		return nil
	})
	return dirs, files
}

func pick(g *gardener, list []string) string {
	if len(list) == 0 {
		return g.root + "/none"
	}
	return list[g.IntN(len(list))]
}

// dig makes one change, which may well fail: into itself, over a directory.
func (g *gardener) dig() string {
	dirs, files := g.all()
	file, dir := pick(g, files), pick(g, dirs)
	to := filepath.Join(pick(g, dirs), names[g.IntN(len(names))])
	move := pick(g, slices.Concat(dirs[1:], []string{file}))
	what := g.IntN(14)
	if len(files) < 60 && g.IntN(2) == 0 || what == 8 && g.IntN(4) > 0 {
		what = g.IntN(5)
	}
	switch what {
	case 0, 1:
		os.Mkdir(to, 0o755)
	case 2, 3, 4:
		g.write(to)
	case 5:
		os.Rename(move, to)
	case 6:
		if len(files) > 0 {
			g.write(file) // in place
		}
	case 7:
		g.write(dir + "/new~")
		os.Rename(dir+"/new~", file)
	case 8:
		os.RemoveAll(move)
	case 9:
		os.Link(file, to)
	case 10:
		target, _ := filepath.Rel(filepath.Dir(to), move)
		os.Symlink(target, to)
	case 11:
		unix.Renameat2(unix.AT_FDCWD, move, unix.AT_FDCWD, pick(g, dirs), unix.RENAME_EXCHANGE)
	case 12:
		os.Chtimes(pick(g, []string{file, dir}), time.Unix(1, 0), time.Unix(int64(g.IntN(3)), 0))
	case 13:
		os.Chmod(move, []os.FileMode{0o755, 0o700, 0o500, 0o644, 0o100, 0}[g.IntN(6)])
	}
	return fmt.Sprintf("%d %s %s %s", what, move, file, to)
}

func (g *gardener) write(path string) {
	text := [...]string{"", "word", g.pem[0], g.pem[1], `{"token":"abc"}`, `{"a":"b"}`}[g.IntN(6)]
	os.WriteFile(path, []byte(text), 0o644)
}

// tick waits until a time stamp made now differs from one made before, on kernels
// that count in ticks.
func tick() { time.Sleep(11 * time.Millisecond) }

var gardenPatterns = slices.Concat(Builtin(), user("!/vault/", "+!vault/keep", "certs/dev.pem", "+b/.env", "src/notes.txt"))

// TestKeptAnswersAsTheWalkDoes is the property that records must have: whatever
// happened since, the result is that of a walk without any.
func TestKeptAnswersAsTheWalkDoes(t *testing.T) {
	private, _, _ := keys(t)
	g := &gardener{rand.New(rand.NewPCG(*seed, 1)), tree(t), [2]string{private, certificate(t)}}
	for range 150 {
		g.dig()
	}
	var s shelf
	reused := 0
	for round := range 120 {
		var did []string
		for range g.IntN(4) {
			did = append(did, g.dig())
		}
		tick()
		plain, err1 := walkAt(later(), Request{Root: g.root, Patterns: gardenPatterns})
		kept, err2 := walkAt(later(), Request{Root: g.root, Patterns: gardenPatterns, Shelf: &s})
		if (err1 == nil) != (err2 == nil) {
			t.Fatalf("seed %d, round %d: %v without a memory, %v with one, after %q", *seed, round, err1, err2, did)
		}
		if err1 != nil {
			os.Chmod(g.root, 0o755)
			continue
		}
		reused += plain.Read - kept.Read
		plain.Read, kept.Read = 0, 0
		for i := range kept.Notes {
			kept.Notes[i].Said = false
		}
		if !reflect.DeepEqual(plain, kept) {
			t.Fatalf("seed %d, round %d: after %q\nwithout %+v\nwith    %+v", *seed, round, did, plain, kept)
		}
		s.forget(t)
	}
	if t.Logf("%d directories were not read again", reused); reused < 100 {
		t.Error("records were of no use")
	}
}

func TestKeptIsUsed(t *testing.T) {
	root := tree(t, "a/b/c/x.pem: "+privateKey, "a/y.pem: "+certificate(t), "a/.env", "d/e/f")
	var s shelf
	first := walkLater(t, root, Builtin(), &s)
	again := walkLater(t, root, Builtin(), &s)
	if first.Read != 6 || again.Read != 0 {
		t.Errorf("read %d directories, then %d", first.Read, again.Read)
	}
	if first.Read = 0; !reflect.DeepEqual(first, again) || s.ledger != 1 || s.walk != 1 {
		t.Errorf("written %d and %d times\n%+v\n%+v", s.ledger, s.walk, first, again)
	}
}
