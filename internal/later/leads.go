package later

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/mask"
	"jail/internal/sandbox/plan"
	"jail/internal/settings"
)

// What a repository that was there before leads to: files that its configuration names,
// and the repositories in its index.

// maxIncludes bounds how many files of configuration are read; git goes ten deep.
const maxIncludes = 100

// named looks at what a configuration that was there before names in the project:
// further configuration, and a directory of hooks. Hooks there are the project's own,
// written at every install by some tools; one of them runs when git has only looked.
// The text was read of a file in from, which is absolute; dir is the work tree.
func (t *tree) named(dir, from, text string) {
	seen := []string{}
	t.follow(dir, from, text, &seen)
}

// global looks at what the user's own configuration names in the project, for every
// repository: core.hooksPath = .githooks.
func (t *tree) global(dir string) {
	for _, config := range t.run.users {
		if text, ok := readAtOnce(config); ok {
			t.named(dir, filepath.Dir(config), text)
		}
	}
}

func (t *tree) follow(dir, from, text string, seen *[]string) {
	entries, _ := settings.GitEntries(text)
	for _, e := range entries {
		switch {
		case (e.Section == "include" || e.Section == "includeif") && e.Key == "path":
			t.include(dir, t.resolve(from, e.Value), seen)
		case e.Section == "core" && e.Key == "hookspath":
			if hooks, ok := t.ours(t.resolve(filepath.Join(t.base, dir), e.Value)); ok {
				t.hooksOf(hooks)
			}
		}
	}
}

// hooksOf looks at a directory of hooks that is the project's own. What runs at a mere
// look is taken away; what runs at the next commit is reported, but for what husky makes
// at each install.
func (t *tree) hooksOf(dir string) {
	name := filepath.Join(dir, "post-index-change")
	if t.look(name) != nil && !t.old(name) {
		t.hold(name, plan.Quote(name))
	}
	if filepath.Base(dir) == "_" {
		return
	}
	names, _ := t.list(dir)
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if st := t.look(path); isRegular(st) && t.since(st) && !strings.HasSuffix(name, suffix) {
			t.report(path, "a hook of git's")
		}
	}
}

// include looks at one file that is included, and at what that includes.
func (t *tree) include(dir, path string, seen *[]string) {
	if slices.Contains(*seen, path) || len(*seen) == maxIncludes {
		return
	}
	*seen = append(*seen, path)
	name, ours := t.ours(path)
	if ours && t.holdIf(name, t.config(name, false)) {
		return
	}
	if text, ok := readAtOnce(path); ok {
		t.follow(dir, filepath.Dir(path), text, seen)
	}
}

// resolve is the absolute path, without links, that a word of git's configuration means.
func (t *tree) resolve(from, word string) string {
	if rest, ok := strings.CutPrefix(word, "~/"); ok {
		word = t.run.home + "/" + rest
	}
	path, _ := t.physical(from, word)
	return path
}

// ours is a path below the root.
func (t *tree) ours(path string) (string, bool) { return t.inside("", path) }

// maxSubmodules bounds how many repositories are looked at.
const maxSubmodules = 10000

// leadsTo looks at the repositories that a look at the one of a .git leads to.
func (t *tree) leadsTo(dir, name string) {
	if in, git, ok := t.gitTree(name); ok {
		budget := maxSubmodules
		t.submodules(dir, in, git, &budget)
	}
}

// gitTree is the git directory of a .git, and the tree that it lies in.
func (t *tree) gitTree(name string) (in *tree, git string, ok bool) {
	if git, ok = t.gitDir(name); ok || t.outside == nil {
		return t, git, ok
	}
	text, isFile := t.pointer(name)
	if !filepath.IsAbs(text) {
		text = filepath.Join(t.base, filepath.Dir(name)) + "/" + text
	}
	if isFile {
		git, ok = t.outside.inside(".", text)
	}
	return t.outside, git, ok
}

// submodules looks at the repositories that a look at one leads to, and from them at
// those further on. dir is its work tree; git, in a tree, its git directory.
func (t *tree) submodules(dir string, in *tree, git string, budget *int) {
	index := filepath.Join(git, "index")
	if in.look(index) == nil {
		return
	}
	paths, ok := in.gitlinks(git, index)
	if *budget -= len(paths); !ok || *budget < 0 {
		in.unknown(index)
		return
	}
	if len(paths) > 0 {
		dir, ok = t.workDir(dir, in, git)
	}
	for _, path := range paths {
		if !ok || !filepath.IsLocal(path) {
			continue
		}
		sub := filepath.Join(dir, path, ".git")
		if t.look(sub) == nil || t.holdIf(sub, t.repository(sub, false)) {
			continue
		}
		if in, inner, ok := t.gitTree(sub); ok {
			t.submodules(filepath.Join(dir, path), in, inner, budget)
		}
	}
}

// workDir is the work tree of a git directory, which its configuration may name; dir if
// it does not.
func (t *tree) workDir(dir string, in *tree, git string) (string, bool) {
	common, _, ok := in.common(git)
	if !ok {
		return dir, true
	}
	for _, config := range [...]string{filepath.Join(common, "config"), filepath.Join(git, "config.worktree")} {
		b, err := in.read(config, maxText)
		if work, set := workTree(string(b)); err == nil && set {
			path, known := in.physical(filepath.Join(in.base, filepath.Dir(config)), work)
			dir, ok = t.inside(".", path)
			ok = ok && known
		}
	}
	return dir, ok
}

// unknown takes an index away of which nobody can say what it leads to, unless it has
// been there for long. Git makes another one.
func (t *tree) unknown(index string) {
	const why = "what repositories say that its index leads to, which could not be looked at"
	if t.old(index) {
		t.report(index, "git would run "+why)
		return
	}
	t.hold(index, why)
}

// gitlinks are the paths of an index that stand for repositories, and whether that is
// all of them. An index that is split has most of its entries in another file.
func (t *tree) gitlinks(git, index string) (paths []string, all bool) {
	b, err := t.readIndex(index)
	if err != nil {
		return nil, false
	}
	if paths, err = mask.Submodules(b); err != nil {
		return nil, false
	}
	if !bytes.Contains(b, []byte("link")) { // the extension, or the name of a file
		return paths, true
	}
	names, all := t.list(git)
	for _, name := range names {
		if !strings.HasPrefix(name, "sharedindex.") {
			continue
		}
		b, err := t.readIndex(filepath.Join(git, name))
		if err == nil {
			var more []string
			more, err = mask.Submodules(b)
			paths = append(paths, more...)
		}
		all = all && err == nil
	}
	return paths, all
}
