package detect

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// forest makes every directory of depth 4 with the names a and b, and puts
// markers, links and modes into them at random.
func forest(t *testing.T, rnd *rand.Rand) (tr scene, dirs []string) {
	tr = newScene(t)
	var grow func(name string, depth int)
	grow = func(name string, depth int) {
		mode := uint32(0o755)
		if rnd.IntN(12) == 0 {
			mode = 0o1777
		}
		dirs = append(dirs, tr.dirMode(name, mode))
		if depth == 0 {
			return
		}
		grow(name+"/a", depth-1)
		grow(name+"/b", depth-1)
	}
	grow("top", 4)
	for _, dir := range dirs {
		switch rnd.IntN(10) {
		case 0, 1:
			must(t, os.Mkdir(dir+"/.ai-jail", 0o755))
		case 2:
			must(t, os.WriteFile(dir+"/.ai-jail", nil, 0o644))
		case 3:
			must(t, os.Symlink(dirs[rnd.IntN(len(dirs))], dir+"/.ai-jail"))
		}
		if rnd.IntN(3) == 0 {
			must(t, os.Symlink(dirs[rnd.IntN(len(dirs))], dir+"/l"))
		}
	}
	return tr, dirs
}

// hasMarker says in the plainest way whether a marker is at or above dir.
func hasMarker(dir string) bool {
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir + "/.ai-jail"); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// Over random trees, homes and working directories:
// a root is never a home or above one, nor writable by everybody;
// with a marker above, the answer is a project or a refusal, never "none",
// whatever $PWD says; without one it is never a project.
func TestFindProjectProperties(t *testing.T) {
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		tr, dirs := forest(t, rnd)
		for range 400 {
			cwd := dirs[rnd.IntN(len(dirs))]
			var homes []string
			for range rnd.IntN(3) {
				homes = append(homes, dirs[rnd.IntN(len(dirs))])
			}
			pwd := dirs[rnd.IntN(len(dirs))] + strings.Repeat("/l", rnd.IntN(3))
			if real, err := filepath.EvalSymlinks(pwd); err == nil && rnd.IntN(2) == 0 {
				cwd = real // so that $PWD is true
			}
			checkProject(t, tr, cwd, pwd, homes)
		}
	}
}

func checkProject(t *testing.T, tr scene, cwd, pwd string, homes []string) {
	t.Helper()
	got, ok, err := FindProject(cwd, pwd, homes, nil)
	var refused *RefusedError
	if err != nil && (ok || !errors.As(err, &refused) || refused.Hint == "" || refused.Cause == "") {
		t.Fatalf("cwd %s pwd %s homes %q: %t, %#v", cwd, pwd, homes, ok, err)
	}
	if !ok {
		if err == nil && hasMarker(cwd) {
			t.Fatalf("cwd %s pwd %s homes %q: a marker is above and there is no project", cwd, pwd, homes)
		}
		return
	}
	real, _ := filepath.EvalSymlinks(pwd)
	if !hasMarker(cwd) && (real != cwd || !hasMarker(pwd)) {
		t.Fatalf("cwd %s pwd %s: a project without a marker: %+v", cwd, pwd, got.Root)
	}
	for _, home := range homes {
		if within(home, got.Root.Path) {
			t.Fatalf("cwd %s homes %q: the root is %s", cwd, homes, got.Root.Path)
		}
	}
	info, err := os.Stat(got.Root.Path)
	if err != nil || info.Mode().Perm()&0o002 != 0 || !within(got.Root.Path, tr.root) {
		t.Fatalf("cwd %s: the root %s has mode %v, %v", cwd, got.Root.Path, info.Mode(), err)
	}
	if as, err := filepath.EvalSymlinks(got.Root.As); err != nil || as != got.Root.Path {
		t.Fatalf("cwd %s pwd %s: As %s is not %s", cwd, pwd, got.Root.As, got.Root.Path)
	}
	if got.Away == within(cwd, got.Root.Path) {
		t.Fatalf("cwd %s: away is %t for %s", cwd, got.Away, got.Root.Path)
	}
}
