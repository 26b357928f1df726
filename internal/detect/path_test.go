package detect

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

func TestWithin(t *testing.T) {
	for _, tt := range []struct {
		path, dir string
		want      bool
	}{
		{"/a/b", "/a/b", true},
		{"/a/b/c", "/a/b", true},
		{"/a/b-evil", "/a/b", false},
		{"/a", "/a/b", false},
		{"/a", "/", true},
		{"/", "/", true},
		{"/", "/a", false},
	} {
		if got := within(tt.path, tt.dir); got != tt.want {
			t.Errorf("within(%q, %q) = %t", tt.path, tt.dir, got)
		}
	}
}

func TestStat(t *testing.T) {
	tr := newScene(t)
	file := tr.file("f", 0o640)
	long := filepath.Join("/", string(slices.Repeat([]byte("x/"), 400)))
	link := tr.link(long, "l")
	for _, tt := range []struct {
		path string
		typ  plan.Type
		perm uint32
		text string
	}{
		{file, plan.Regular, 0o640, ""},
		{link, plan.Symlink, 0o777, long},
		{tr.dirMode("d", 0o1777), plan.Directory, 0o1777, ""},
		{"/dev/null", plan.CharDevice, 0o666, ""},
	} {
		src, err := Stat(tt.path)
		if err != nil || src.Path != tt.path || src.Type != tt.typ || src.Perm != tt.perm || src.Link != tt.text || src.ID.IsZero() {
			t.Errorf("Stat(%q) = %+v, %v", tt.path, src, err)
		}
	}
	for _, path := range []string{tr.path("none"), file + "/x"} {
		if _, err := Stat(path); err == nil {
			t.Errorf("Stat(%q) succeeded", path)
		}
	}
	if _, err := Stat(tr.path("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing path: %v", err)
	}
}

func TestFollowHops(t *testing.T) {
	tr := newScene(t)
	target := tr.file("run/resolve/stub.conf", 0o644)
	varRun := tr.link("../run", "var/run")
	start := tr.link("../var/run/resolve/stub.conf", "etc/resolv.conf")
	hops, end, err := follow(start)
	must(t, err)
	if end.Path != target || end.Type != plan.Regular {
		t.Errorf("ends in %+v", end)
	}
	var paths []string
	for _, h := range hops {
		paths = append(paths, h.Path+" -> "+h.Link)
	}
	want := []string{start + " -> ../var/run/resolve/stub.conf", varRun + " -> ../run"}
	if !slices.Equal(paths, want) {
		t.Errorf("hops %q, want %q", paths, want)
	}
}

func TestFollowEnds(t *testing.T) {
	tr := newScene(t)
	loop := tr.link("loop", "loop")
	if _, _, err := follow(loop); !errors.Is(err, unix.ELOOP) {
		t.Errorf("a loop: %v", err)
	}
	if _, _, err := follow(tr.link("gone", "dangling")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a dangling link: %v", err)
	}
	for path, want := range map[string]string{"/": "/", "/..": "/", "/usr/..": "/", tr.root + "/.": tr.root} {
		if _, end, err := follow(path); err != nil || end.Path != want || end.ID.IsZero() {
			t.Errorf("%q ends in %+v, %v; want %q", path, end, err, want)
		}
	}
}

// In a forest of random links, follow ends where the standard library ends.
func TestFollowAgainstTheLibrary(t *testing.T) {
	tr := newScene(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	dirs := []string{tr.root, tr.dir("a"), tr.dir("a/b"), tr.dir("a/b/c"), tr.dir("d")}
	pick := func() string { return dirs[rnd.IntN(len(dirs))] }
	var links []string
	for i := range 120 {
		text := []string{pick(), "..", "../..", "b", "l" + fmt.Sprint(rnd.IntN(120)), "a/l" + fmt.Sprint(rnd.IntN(120)), "./d/../a"}[rnd.IntN(7)]
		path := filepath.Join(pick(), fmt.Sprintf("l%d", i))
		must(t, os.Symlink(text, path))
		links = append(links, path)
	}
	ended := 0
	for _, link := range links {
		want, wantErr := filepath.EvalSymlinks(link)
		_, end, err := follow(link)
		if (err != nil) != (wantErr != nil) || err == nil && end.Path != want {
			t.Errorf("%q ends in %q, %v; want %q, %v", link, end.Path, err, want, wantErr)
		}
		if err == nil {
			ended++
		}
	}
	if ended < 10 || ended == len(links) {
		t.Errorf("%d of %d links ended: the forest proves nothing", ended, len(links))
	}
}
