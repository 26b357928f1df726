package mask

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// edit makes changes below root, one a line: a word of the shell and paths.
func edit(t testing.TB, root string, script ...string) {
	t.Helper()
	for _, line := range script {
		verb, rest, _ := strings.Cut(line, " ")
		args := strings.Split(rest, " ")
		path := func(i int) string { return filepath.Join(root, args[i]) }
		var err error
		switch verb {
		case "mv":
			err = os.Rename(path(0), path(1))
		case "swap":
			err = unix.Renameat2(unix.AT_FDCWD, path(0), unix.AT_FDCWD, path(1), unix.RENAME_EXCHANGE)
		case "ln":
			err = os.Link(path(0), path(1))
		case "symlink":
			err = os.Symlink(args[0], path(1))
		case "rm":
			err = os.RemoveAll(path(0))
		case "chmod":
			mode := map[string]os.FileMode{"0": 0, "755": 0o755, "100": 0o100}[args[0]]
			err = os.Chmod(path(1), mode)
		case "touch": // to a time long ago
			err = os.Chtimes(path(0), time.Unix(1, 0), time.Unix(1, 0))
		case "put":
			err = plant(root, rest)
		case "copy": // cp --preserve=timestamps, over the old file's bytes
			err = overwrite(path(0), path(1))
		default:
			t.Fatalf("no verb %q", verb)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// overwrite puts the bytes of one file into another, which keeps its times.
func overwrite(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	fi, err := os.Stat(to)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, b, 0o644); err != nil {
		return err
	}
	return os.Chtimes(to, fi.ModTime(), fi.ModTime())
}

// twins gives two directories the same ctime: that of one tick of the clock.
func twins(t *testing.T, a, b string) {
	for range 1000 {
		for _, d := range [...]string{a, b} {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		var x, y stat
		if statAt(unix.AT_FDCWD, a, &x) == nil && statAt(unix.AT_FDCWD, b, &y) == nil && x.ctime == y.ctime {
			return
		}
		tick()
	}
	t.Fatal("no two directories get the same ctime here")
}

// TestKeptSees holds that a walk with records finds what one without does, after
// each of the changes that could deceive it.
func TestKeptSees(t *testing.T) {
	public := certificate(t)
	padded := privateKey + strings.Repeat("x", len(public)-len(privateKey)) // as long as public
	base := []string{
		"a/x/deep/one/.env", "a/x/deep/two/keep", "b/x/deep/one/keep", "b/x/deep/two/.env", "stay/1/2/3/4/f", "v/lib/p/k.key", "v/share/k.key",
		"out/debug/k.key", "pkg/secrets/__init__.py", "pkg/secrets/main.py", "pkg/secrets/k.txt", "pub.pem: " + public, "key.pem: " + padded, "other: " + padded,
		"conf/c.json", "link.pem -> pub.pem", "cur -> rel/1", "rel/1/app.yml", "rel/2/app.yml", ".git/config", "hard/.env", "hard/alias = hard/.env",
		"w/pyvenv.cfg", "w/lib/p/x.key", "w/lib/p/k", "z/target/CACHEDIR.TAG", "z/target/d/x.key", "z/target/d/k", "twin1/d/.env", "twin2/d/keep",
	}
	for _, c := range []struct {
		name string
		do   []string
	}{
		{"nothing", nil},
		{"a new file", []string{"put a/x/.env"}},
		{"a new file, and the old times", []string{"put a/x/deep/.env", "touch a/x/deep", "touch a/x/deep/.env"}},
		{"a file that has gone", []string{"rm a/x/deep/one/.env"}},
		{"a file renamed in place", []string{"mv a/x/deep/two/keep a/x/deep/two/.env"}},
		{"a file replaced by a rename", []string{"put a/new: x", "mv a/new a/x/deep/one/.env"}},
		{"a directory renamed", []string{"mv b c"}},
		{"two subtrees swapped", []string{"swap a b"}},
		{"two subtrees swapped further down", []string{"swap a/x/deep b/x/deep"}},
		{"two subtrees swapped by three renames", []string{"mv a/x t", "mv b/x a/x", "mv t b/x"}},
		{"leaves swapped", []string{"swap a/x/deep/one b/x/deep/one"}},
		{"moved into a directory that is not searched", []string{"put node_modules/", "mv a node_modules/a"}},
		{"moved out of it", []string{"put node_modules/m/.env", "mv node_modules/m m"}},
		{"a directory that becomes one", []string{"mv a node_modules"}},
		{"a virtual environment planted", []string{"put v/pyvenv.cfg"}},
		{"a virtual environment that is one no more", []string{"rm w/pyvenv.cfg"}},
		{"a cache that is one no more", []string{"rm z/target/CACHEDIR.TAG"}},
		{"twins of one ctime swapped", []string{"swap twin1 twin2"}},
		{"a cache planted", []string{"mv out target", "put target/CACHEDIR.TAG"}},
		{"a source package that is one no more", []string{"rm pkg/secrets/__init__.py"}},
		{"a source package of another language", []string{"put pkg/secrets/mod.rs", "put pkg/secrets/x.rs"}},
		{"a directory renamed to a hidden name", []string{"mv stay/1 stay/secrets"}},
		{"a public file that becomes private, in place, with the old times", []string{"copy key.pem pub.pem"}},
		{"a private one that becomes public", []string{"put x: " + public, "copy x key.pem"}},
		{"a private one in the place of a public one", []string{"mv other pub.pem"}},
		{"two files swapped", []string{"swap pub.pem key.pem"}},
		{"what a link leads to changes", []string{"copy key.pem pub.pem"}},
		{"a link that leads elsewhere", []string{"rm cur", "symlink rel/2 cur"}},
		{"what lies behind a link", []string{"mv rel/1 rel/3", "mv rel/2 rel/1"}},
		{"another name of a hidden file", []string{"ln hard/.env stay/1/2/3/4/g"}},
		{"another name that moves", []string{"mv hard/alias stay/1/2/alias"}},
		{"a directory closed", []string{"chmod 0 stay/1/2"}},
		{"git's hooks", []string{"put .git/hooks/x"}},
		{"a directory in the place of a file", []string{"rm conf/c.json", "put conf/c.json/.env"}},
		{"a link in the place of a directory", []string{"mv a real", "symlink real a"}},
		{"removed and made anew", []string{"rm a", "put a/x/deep/one/.env", "put a/x/deep/two/.env"}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			root := tree(t, base...)
			twins(t, root+"/twin1/d", root+"/twin2/d")
			patterns := append(Builtin(), user("cur/app.yml", "a/x/deep/two/keep", "!conf/", "w/lib/p/k", "z/target/d/k")...)
			var s shelf
			walkLater(t, root, patterns, &s)
			tick()
			edit(t, root, c.do...)
			s.forget(t)
			plain, err := walkAt(later(), Request{Root: root, Patterns: patterns})
			if err != nil {
				t.Fatal(err)
			}
			kept := walkLater(t, root, patterns, &s)
			if kept.Read >= plain.Read {
				t.Errorf("read %d of %d directories", kept.Read, plain.Read)
			}
			plain.Read, kept.Read = 0, 0
			if !reflect.DeepEqual(plain, kept) {
				t.Errorf("without %+v\nwith    %+v", plain, kept)
			}
		})
	}
}
