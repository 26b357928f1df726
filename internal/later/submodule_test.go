package later

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"jail/internal/needed"
)

// A yard is a project with repositories in it, made by git.
type yard struct {
	t    *testing.T
	root string
}

func (y yard) git(dir string, args ...string) {
	y.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = filepath.Join(y.root, dir)
	cmd.Env = append(os.Environ(), "HOME="+y.root, "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@e", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@e")
	if out, err := cmd.CombinedOutput(); err != nil {
		y.t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

// repository makes one with a commit in it, and adds it to the index of another.
func (y yard) repository(dir, around string) {
	y.t.Helper()
	y.git(".", "init", "-q", dir)
	y.git(dir, "commit", "-q", "--allow-empty", "-m", "x")
	if around != "" {
		rel, _ := filepath.Rel(around, dir)
		y.git(around, "-c", "advice.addEmbeddedRepo=false", "add", rel)
	}
}

// Every repository that a look at the root leads to is looked at, however far.
func TestSubmodules(t *testing.T) {
	needed.Program(t, "git")
	for _, c := range []struct {
		name          string
		before, after func(y yard)
		held          []string
	}{
		{"a tame one", nil, func(y yard) { y.repository("sub", ".") }, nil},
		{"one that runs", nil, func(y yard) {
			y.repository("sub", ".")
			write(y.t, y.root, "sub/.git/config: "+evil)
		}, []string{"sub/.git core.fsmonitor"}},
		{"one in a tame one", nil, func(y yard) {
			y.repository("sub", ".")
			y.repository("sub/inner", "sub")
			write(y.t, y.root, "sub/inner/.git/config: "+evil)
		}, []string{"sub/inner/.git core.fsmonitor"}},
		{"one that was there", func(y yard) { y.repository("sub", ".") }, func(y yard) {
			write(y.t, y.root, "sub/.git/config: "+evil)
		}, []string{"sub/.git core.fsmonitor"}},
		{"one in one that was there", func(y yard) { y.repository("sub", ".") }, func(y yard) {
			y.repository("sub/inner", "sub")
			write(y.t, y.root, "sub/inner/.git/config: "+evil)
		}, []string{"sub/inner/.git core.fsmonitor"}},
		{"one in a tame one behind a link", nil, func(y yard) {
			y.repository("sub", ".")
			y.repository("sub/inner", "sub")
			write(y.t, y.root, "sub/inner/.git/config: "+evil)
			os.Rename(filepath.Join(y.root, "sub/.git"), filepath.Join(y.root, "store"))
			os.Symlink("../store", filepath.Join(y.root, "sub/.git"))
		}, []string{"sub/inner/.git core.fsmonitor"}},
		{"in an index that is split", nil, func(y yard) {
			y.repository("sub", ".")
			write(y.t, y.root, "sub/.git/config: "+evil)
			y.git(".", "update-index", "--split-index")
		}, []string{"sub/.git core.fsmonitor"}},
		{"what it ran before", func(y yard) {
			y.repository("sub", ".")
			write(y.t, y.root, "sub/.git/config: "+evil)
		}, func(y yard) { write(y.t, y.root, "sub/file: x") }, nil},
		{"a worktree of what ran before", func(y yard) {
			y.repository("sub", ".")
			write(y.t, y.root, "sub/.git/config: "+evil)
		}, func(y yard) {
			write(y.t, y.root, "sub/.git/worktrees/w/commondir: ../..\n", "sub/.git/worktrees/w/HEAD: x\n")
		}, nil},
		{"a worktree that borrows", func(y yard) {
			y.repository("sub", ".")
		}, func(y yard) {
			write(y.t, y.root, "sub/.git/worktrees/w/commondir: ../../../../x\n", "sub/.git/worktrees/w/HEAD: x\n", "x/config: "+evil)
		}, []string{"sub/.git core.fsmonitor"}},
		{"one of another place", func(y yard) {
			y.repository("sub", ".")
			os.Rename(filepath.Join(y.root, "sub/.git"), filepath.Join(y.t.TempDir(), "git"))
			write(y.t, y.root, "sub/.git: gitdir: /nowhere/git")
		}, func(y yard) { write(y.t, y.root, "sub/file: x") }, nil},
	} {
		y := yard{t, t.TempDir()}
		y.repository(".", "")
		if c.before != nil {
			c.before(y)
		}
		time.Sleep(2 * slack)
		pinned := []string{".git", ".git/config", ".git/hooks"}
		r := Begin(planOf(t, y.root, y.root, pinned), Caller{}, treeOf(t, y.root))
		c.after(y)
		t.Log(c.name)
		checkHeld(t, y.root, r.End().Held, c.held)
	}
}

// What cannot be looked at whole counts as what runs: names beyond the bound, and an
// index that makes no sense to us.
func TestUnknown(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".git/config: "+tame, ".git/index: DIRC\x00\x00\x00\x02\x00\x00\x00\x09\x00\x00\xe0\x00 no entry", "+.git/hooks/z: x")
	r := Begin(planOf(t, root, root, []string{".git", ".git/config"}), Caller{}, treeOf(t, root))
	write(t, root, ".git/index: DIRC\x00\x00\x00\x02\x00\x00\x00\x09\x00\x00\xe0\x00 no entry")
	dir, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	tr := r.open(dir, root)
	tr.most = 1
	write(t, root, ".git/hooks/a.sample: x")
	if why := tr.hooks(".git/hooks", true); why != "more hooks than could be looked at" && why != "hooks/z" {
		t.Errorf("of two hooks one was looked at, and the answer is %q", why)
	}
	os.Remove(filepath.Join(root, ".git/hooks/z"))
	if why := tr.hooks(".git/hooks", true); why != "more hooks than could be looked at" {
		t.Errorf("the answer is %q", why)
	}
	os.RemoveAll(filepath.Join(root, ".git/hooks"))
	tr.indexes = 4
	if _, all := tr.gitlinks(".git", ".git/index"); all {
		t.Error("an index was read beyond what may be read of all")
	}
	held := r.End().Held
	if len(held) != 1 || held[0].Path != filepath.Join(root, ".git/index") {
		t.Errorf("held %v", held)
	}
}
