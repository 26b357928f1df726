package gitdir

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"jail/internal/sandbox/plan"
)

// maxPins bounds what a project can make a launch do. A thousand submodules are more
// than anybody has.
const maxPins = 4096

// deepest is how many slashes the name of a submodule may have in it.
const deepest = 8

// repository pins what git runs or believes by itself of a git directory, and of the
// worktrees and submodules in it.
func (f *finder) repository(g string) {
	for _, part := range [...]string{"config", "config.worktree", "commondir", "hooks", "info/attributes"} {
		f.pin(filepath.Join(g, part))
	}
	f.inner(g)
}

// common pins the same of the repository that a git directory in the project shares
// its configuration with, where that is in the project too.
func (f *finder) common(g string) {
	text, ok := readLine(filepath.Join(g, "commondir"))
	if !ok {
		return
	}
	if c, err := filepath.EvalSymlinks(absolute(text, g)); err == nil && plan.Below(c, f.Root) {
		f.repository(c)
	}
}

// inner pins what lies in a git directory for others.
func (f *finder) inner(g string) {
	f.worktrees(g)
	f.modules(filepath.Join(g, "modules"), 0)
}

// worktrees pins the same of the worktrees of a repository: their configuration, and
// the two files that say which repository and which directory they belong to.
func (f *finder) worktrees(g string) {
	for _, w := range f.list(filepath.Join(g, "worktrees")) {
		for _, part := range [...]string{"config.worktree", "commondir", "gitdir"} {
			f.pin(filepath.Join(w, part))
		}
		f.modules(filepath.Join(w, "modules"), 0)
	}
}

// modules pins the same of submodules. Their names may have slashes in them, so a
// directory without a HEAD is on the way to one.
func (f *finder) modules(dir string, depth int) {
	if depth == deepest {
		return
	}
	for _, m := range f.list(dir) {
		if s, ok := lstat(filepath.Join(m, "HEAD")); ok && s.Type != plan.Directory {
			f.repository(m)
		} else {
			f.modules(m, depth+1)
		}
	}
}

// list returns the directories in dir; a link is none.
func (f *finder) list(dir string) (dirs []string) {
	if s, ok := lstat(dir); !ok || s.Type != plan.Directory {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) && !os.IsPermission(err) {
		f.fail(fmt.Errorf("list %q: %w", dir, err))
	}
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, filepath.Join(dir, e.Name()))
		}
	}
	return dirs
}

// pin makes path read-only, where it exists, and keeps the directories above it from
// being renamed away with it.
func (f *finder) pin(path string) {
	s, ok := lstat(path)
	if !ok || f.seen[path] {
		return
	}
	f.add(s, true, "git on the host runs or believes it by itself")
	if s.Type == plan.Symlink { // hooks are one to .githooks now and then
		if target, err := filepath.EvalSymlinks(path); err == nil && plan.Below(target, f.below) {
			f.pin(target)
		}
	}
	for dir := filepath.Dir(path); dir != f.below && !f.seen[dir]; dir = filepath.Dir(dir) {
		if s, ok := lstat(dir); ok {
			f.add(s, false, "must stay what and where it is: something read-only lies in it")
		}
	}
}

func (f *finder) add(s plan.Source, readOnly bool, why string) {
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[s.Path] = true
	f.found.Pins = append(f.found.Pins, plan.Pinned{Source: s, ReadOnly: readOnly, Reason: plan.Reason{Layer: "built in", Text: why}})
	if len(f.found.Pins) > maxPins {
		f.fail(&plan.Refusal{
			Cause: fmt.Sprintf("%q has too many submodules and worktrees to keep their hooks from being changed", f.below),
			Hint:  "git worktree prune",
		})
	}
}

func (f *finder) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *finder) sort() {
	slices.SortFunc(f.found.Pins, func(a, b plan.Pinned) int { return plan.ComparePaths(a.Source.Path, b.Source.Path) })
}
