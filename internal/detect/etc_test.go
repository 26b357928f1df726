package detect

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

func paths(sources []plan.Source) []string {
	var all []string
	for _, src := range sources {
		all = append(all, src.Path)
	}
	return all
}

func TestUnreadable(t *testing.T) {
	tr := newScene(t)
	tr.file("open", 0o644)
	tr.file("sub/open", 0o604)
	tr.link("../shadow", "sub/link-to-shadow")
	tr.dirMode("sub/deep", 0o755)
	tr.file("private/known-name", 0o644)
	tr.file("search-only/f", 0o644)
	tr.file("list-only/f", 0o644)
	want := []string{
		tr.file("a\nb", 0o640),
		tr.dirMode("list-only", 0o754),
		tr.dirMode("private", 0o700),
		tr.dirMode("search-only", 0o711),
		tr.file("shadow", 0o640),
		tr.file("sub/deep/key", 0o600),
		tr.path("sub/pipe"),
		tr.file("sub/write-only", 0o662),
	}
	must(t, unix.Mkfifo(tr.path("sub/pipe"), 0o600))
	got, err := unreadable(tr.root)
	must(t, err)
	if !slices.Equal(paths(got), want) {
		t.Errorf("got %q, want %q", paths(got), want)
	}
	for _, src := range got {
		if again, err := Stat(src.Path); err != nil || again != src {
			t.Errorf("got %+v, Stat says %+v, %v", src, again, err)
		}
	}
	asNobody(t, func() {
		again, err := unreadable(tr.root)
		if err != nil || !slices.Equal(again, got) {
			t.Errorf("as another user: %q, %v", paths(again), err)
		}
	})
}

func TestUnreadableDoesNotDependOnTheReader(t *testing.T) {
	got, err := unreadable("/etc")
	must(t, err)
	asNobody(t, func() {
		again, err := unreadable("/etc")
		if err != nil || !slices.Equal(again, got) {
			t.Errorf("got %q, %v; as another user %q", paths(got), err, paths(again))
		}
	})
}

// slowly is unreadable in the plainest way.
func slowly(t *testing.T, root string) []string {
	var hits []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		perm := info.Mode().Perm()
		switch {
		case path == root || info.Mode().Type() == fs.ModeSymlink:
		case info.IsDir() && perm&0o005 != 0o005:
			hits = append(hits, path)
			return fs.SkipDir
		case !info.IsDir() && perm&0o004 == 0:
			hits = append(hits, path)
		}
		return nil
	})
	must(t, err)
	slices.Sort(hits)
	return hits
}

func TestUnreadableAgainstTheLibrary(t *testing.T) {
	tr := newScene(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	dirs := []string{"."}
	for i := range 900 { // more than one buffer of names
		dir := dirs[rnd.IntN(len(dirs))]
		name := filepath.Join(dir, fmt.Sprintf("a-rather-long-name-of-%d", i))
		switch rnd.IntN(8) {
		case 0:
			tr.dir(name)
			dirs = append(dirs, name)
		case 1:
			tr.link("/etc/shadow", name)
		default:
			tr.file(name, uint32(0o600|rnd.IntN(8)<<3|rnd.IntN(8)))
		}
	}
	for _, dir := range dirs[1:] {
		tr.dirMode(dir, 0o750|uint32(rnd.IntN(4)+4)) // r, rx, rw, rwx
	}
	for _, root := range []string{tr.root, "/etc"} {
		got, err := unreadable(root)
		must(t, err)
		if want := slowly(t, root); !slices.Equal(paths(got), want) || len(want) == 0 {
			t.Errorf("%s: got %q, want %q", root, paths(got), want)
		}
	}
}

func TestUnreadableOfNothing(t *testing.T) {
	tr := newScene(t)
	for _, path := range []string{tr.path("none"), tr.file("file", 0o600), tr.link(".", "link")} {
		if got, err := unreadable(path); err != nil || got != nil {
			t.Errorf("%s: %q, %v", path, paths(got), err)
		}
	}
}

func BenchmarkUnreadableEtc(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := unreadable("/etc"); err != nil {
			b.Fatal(err)
		}
	}
}
