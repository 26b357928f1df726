package later

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"jail/internal/sandbox/plan"
)

// git looks at the repository that git would find in a directory, and takes away what
// was not there before and would run something.
func (t *tree) git(dir string) {
	name := filepath.Join(dir, ".git")
	st := t.look(name)
	switch {
	case st == nil:
		t.bare(dir)
	case !t.was(name, st):
		if !t.holdIf(name, t.repository(name, true)) {
			t.leadsTo(dir, name)
		}
	default:
		t.known(dir, name)
	}
	if st != nil {
		t.global(dir)
		t.rebase(name)
	}
}

// rebase looks at the list of a rebase that is not finished. Git runs what stands in it
// when somebody goes on with it, which honest commands want as well.
func (t *tree) rebase(repository string) {
	git, ok := t.gitDir(repository)
	if !ok {
		return
	}
	name := filepath.Join(git, "rebase-merge/git-rebase-todo")
	if !t.since(t.look(name)) {
		return
	}
	b, err := t.read(name, maxText)
	runs := slices.ContainsFunc(strings.Split(string(b), "\n"), func(line string) bool {
		word := strings.Fields(line)
		return len(word) > 1 && (word[0] == "exec" || word[0] == "x")
	})
	if err != nil || runs {
		t.report(name, "git rebase --continue runs commands of it")
	}
}

// known looks at the repository that a .git leads to which was there before: a directory,
// a link, or a file that names one.
func (t *tree) known(dir, name string) {
	git, ok := t.gitDir(name)
	if !ok {
		if repository := t.run.plan.Repository; repository != "" {
			text, _ := readAtOnce(filepath.Join(repository, "config"))
			t.named(dir, repository, text)
		}
		t.leadsTo(dir, name)
		return
	}
	t.within(git)
	common, _, ok := t.common(git)
	if ok && common != git {
		t.within(common)
	}
	for _, config := range [...]string{filepath.Join(common, "config"), filepath.Join(git, "config.worktree")} {
		if b, err := t.read(config, maxText); ok && err == nil {
			t.named(dir, filepath.Join(t.base, filepath.Dir(config)), string(b))
		}
	}
	budget := maxSubmodules
	t.submodules(dir, t, git, &budget)
}

// bare looks at a directory that is a repository itself, without a .git.
func (t *tree) bare(dir string) {
	head, all := filepath.Join(dir, "HEAD"), false
	for _, part := range [...]string{"HEAD", "objects", "refs"} {
		name := filepath.Join(dir, part)
		st := t.look(name)
		if st == nil || isDir(st) == (part == "HEAD") {
			return
		}
		all = all || !t.old(name) // it may not have been a repository before
	}
	if !t.holdIf(head, t.contents(dir, all)) {
		budget := maxSubmodules
		t.submodules(dir, t, dir, &budget)
	}
}

// within looks at a repository that was there before, and at those in it.
func (t *tree) within(git string) {
	in := t.interior(git)
	for _, dir := range in.dirs {
		t.parts(dir, in.dirs)
	}
	for _, name := range in.odd {
		t.hold(name, unseen)
	}
}

// parts looks at what a repository that was there before can have got. Those beside it
// are looked at as well, so that it may have the configuration of one of them.
func (t *tree) parts(git string, beside []string) {
	for _, part := range [...]string{"commondir", "config", "config.worktree", "hooks"} {
		name := filepath.Join(git, part)
		if st := t.look(name); st == nil || t.was(name, st) {
			continue
		}
		why := ""
		switch part {
		case "commondir":
			if common, _, ok := t.common(git); !ok || !slices.Contains(beside, common) {
				why = "the configuration of another repository"
			}
		case "hooks":
			why = t.hooks(name, true)
		default:
			why = t.config(name, true)
		}
		t.holdIf(name, why)
	}
}

// gitDir is the directory of a .git that may be a file, or a link.
func (t *tree) gitDir(name string) (string, bool) {
	if fi, err := t.Stat(name); err == nil && fi.IsDir() {
		return t.real(name)
	}
	text, ok := t.pointer(name)
	if !ok {
		return "", false
	}
	git, ok := t.inside(filepath.Dir(name), text)
	if !ok {
		return "", false
	}
	return t.real(git)
}

// elsewhere is why a repository is held whose parts lie where the command had no
// business, or that makes no sense.
const elsewhere = "what lies outside of the project"

// repository says what a .git would run: by all that it has, or by what was not there
// before.
func (t *tree) repository(name string, all bool) string {
	st, elsewhere := t.look(name), elsewhere
	if st == nil {
		return "" // it is gone, or held already
	}
	if !all && t.old(name) {
		elsewhere = "" // it has been there for long
	}
	if isRegular(st) {
		text, ok := t.pointer(name)
		if !ok {
			return "" // git refuses it
		}
		dir, ok := t.inside(filepath.Dir(name), text)
		if ok {
			return t.contents(dir, all)
		}
		if in, dir, ok := t.gitTree(name); ok {
			return in.contents(dir, all)
		}
		return elsewhere
	}
	if fi, err := t.Stat(name); err != nil || !fi.IsDir() {
		return elsewhere // a link out, or to nothing yet
	}
	return t.contents(name, all)
}

// pointer reads a .git that is a file: gitdir: PATH.
func (t *tree) pointer(name string) (string, bool) {
	b, err := t.read(name, maxText)
	text, found := strings.CutPrefix(strings.TrimRight(string(b), "\r\n"), "gitdir: ")
	return text, err == nil && found
}

// inside makes a path that stands in a file of dir one below the root, without links.
func (t *tree) inside(dir, path string) (string, bool) {
	path, ok := t.physical(filepath.Join(t.base, dir), path)
	if !ok || !plan.Below(path, t.base) {
		return "", false
	}
	rel, err := filepath.Rel(t.base, path)
	return rel, err == nil
}

// common is the directory whose configuration a repository has, and the file that says
// so, if there is one. It is not ok if that lies outside.
func (t *tree) common(git string) (dir, by string, ok bool) {
	by = filepath.Join(git, "commondir")
	b, err := t.read(by, maxText)
	switch {
	case err == nil:
		dir, ok = t.inside(git, strings.TrimRight(string(b), "\r\n"))
		return dir, by, ok
	case errors.Is(err, fs.ErrNotExist):
		return git, "", true
	}
	return "", by, false
}

// contents says what git's own directory would run, or one of those in it: all that it
// has, or what was not there before.
func (t *tree) contents(dir string, all bool) string {
	if real, ok := t.real(dir); ok {
		dir = real
	}
	in := t.interior(dir)
	for _, git := range in.dirs {
		if why := t.content(git, all, in.dirs); why != "" {
			return why
		}
	}
	if in.odd != nil {
		return unseen
	}
	return ""
}

// content is contents for one git directory, without those in it. A new one that has the
// configuration of one beside it makes nothing of that new.
func (t *tree) content(dir string, all bool, beside []string) string {
	common, by, ok := t.common(dir)
	unknown := by != "" && !t.old(by) && !(ok && slices.Contains(beside, common))
	switch {
	case !ok && (all || unknown):
		return elsewhere
	case !ok:
		return ""
	}
	for _, name := range [...]string{filepath.Join(common, "config"), filepath.Join(dir, "config.worktree")} {
		if why := t.config(name, all || unknown); why != "" {
			return why
		}
	}
	return t.hooks(filepath.Join(common, "hooks"), all || unknown)
}

// config says what a configuration would run. One that git cannot read it does not
// obey either.
func (t *tree) config(name string, all bool) string {
	st := t.look(name)
	if st == nil || t.was(name, st) || !all && t.old(name) {
		return ""
	}
	b, err := t.read(name, maxText)
	if err != nil {
		return elsewhere
	}
	if work, set := workTree(string(b)); set && !t.mayWork(filepath.Dir(name), work) {
		return elsewhere
	}
	return runsByConfig(string(b))
}

// mayWork reports whether the work tree that a git directory names is one that is looked
// at: its submodules are those of the repository.
func (t *tree) mayWork(git, work string) bool {
	path, ok := t.physical(filepath.Join(t.base, git), work)
	return ok && (plan.Below(path, t.base) || plan.Below(path, t.run.plan.Root.Path))
}

// hooks names a hook that would run.
func (t *tree) hooks(dir string, all bool) string {
	if !all && t.old(dir) {
		return ""
	}
	names, whole := t.list(dir)
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		fi, err := t.Stat(path)
		if !strings.HasSuffix(name, ".sample") && (err != nil || fi.Mode().IsRegular() && fi.Mode()&0o111 != 0) {
			return plan.Quote("hooks/" + name)
		}
	}
	if !whole {
		return "more hooks than could be looked at"
	}
	return ""
}

// suffix is what the name of something held ends in.
const suffix = ".jail-held"

// holdIf holds where there is a reason to.
func (t *tree) holdIf(name, why string) bool {
	if why != "" {
		t.hold(name, why)
	}
	return why != ""
}

// hold takes something out of git's way. What cannot be renamed is reported.
func (t *tree) hold(name, why string) {
	to := name + suffix
	for i := 2; t.look(to) != nil; i++ {
		if to = name + suffix + strconv.Itoa(i); i > 9 { // somebody has taken the names
			to = fmt.Sprintf("%s%s-%016x", name, suffix, rand.Uint64())
		}
	}
	if t.insist(name, func() error { return t.Rename(name, to) }) != nil {
		t.report(name, "git would run "+why)
		return
	}
	t.result.Held = append(t.result.Held, Held{Path: filepath.Join(t.base, name), Now: filepath.Join(t.base, to), Why: why})
}
