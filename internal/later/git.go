package later

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"jail/internal/mask"
	"jail/internal/sandbox/plan"
	"jail/internal/settings"
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
		t.holdIf(name, t.repository(name, false))
	default:
		t.known(dir, name)
	}
}

// known looks at a repository that was there before, wherever in the project its .git
// leads to.
func (t *tree) known(dir, name string) {
	git, ok := t.gitDir(name)
	if !ok {
		return
	}
	t.parts(git, "commondir", "config", "config.worktree", "hooks")
	if common, ok := t.common(git); ok {
		t.parts(common, "config", "hooks")
		t.named(dir, filepath.Join(common, "config"))
	}
	budget := maxSubmodules
	t.submodules(dir, git, &budget)
}

// common is the directory of the repository that git's directory shares its
// configuration with, most often itself.
func (t *tree) common(git string) (string, bool) {
	b, err := t.read(filepath.Join(git, "commondir"), maxText)
	if errors.Is(err, fs.ErrNotExist) {
		return git, true
	}
	if err != nil {
		return "", false
	}
	return t.inside(git, strings.TrimRight(string(b), "\r\n"))
}

// bare looks at a directory that is a repository itself, without a .git.
func (t *tree) bare(dir string) {
	head := filepath.Join(dir, "HEAD")
	if !isRegular(t.look(head)) || !isDir(t.look(filepath.Join(dir, "objects"))) || !isDir(t.look(filepath.Join(dir, "refs"))) {
		return
	}
	t.holdIf(head, t.contents(dir, !t.since(t.look(head))))
}

// parts looks at what a repository that was there before can have got.
func (t *tree) parts(git string, parts ...string) {
	for _, part := range parts {
		name := filepath.Join(git, part)
		if _, pinned := t.pins[name]; pinned || t.look(name) == nil {
			continue
		}
		why := ""
		switch part {
		case "commondir":
			why = "the configuration of another repository"
		case "hooks":
			why = t.hooks(name, false)
		default:
			why = t.config(name, false)
		}
		t.holdIf(name, why)
	}
}

// named looks at what a configuration that was there before names in the project:
// further configuration, and a directory of hooks. Hooks there are the project's own,
// written at every install by some tools; one of them runs when git has only looked.
func (t *tree) named(dir, config string) {
	b, err := t.read(config, maxText)
	if err != nil {
		return
	}
	entries, _ := settings.GitEntries(string(b))
	for _, e := range entries {
		switch {
		case (e.Section == "include" || e.Section == "includeif") && e.Key == "path":
			if name, ok := t.inside(filepath.Dir(config), e.Value); ok {
				t.holdIf(name, t.config(name, true))
			}
		case e.Section == "core" && e.Key == "hookspath":
			if hooks, ok := t.inside(dir, e.Value); ok {
				name := filepath.Join(hooks, "post-index-change")
				if st := t.look(name); st != nil && t.since(st) {
					t.hold(name, name)
				}
			}
		}
	}
}

// maxSubmodules bounds how many repositories are looked at, and maxAlways is how
// large an index is read though it has not changed: what a repository in it runs may
// have changed all the same.
const (
	maxSubmodules = 1000
	maxAlways     = 256 << 10
)

// submodules looks at the repositories that a look at this one leads to, and from
// them at those further on.
func (t *tree) submodules(dir, git string, budget *int) {
	name := filepath.Join(git, "index")
	st := t.look(name)
	if st == nil || !t.since(st) && st.Size > maxAlways && t.look(filepath.Join(dir, ".gitmodules")) == nil {
		return
	}
	for _, path := range t.gitlinks(git, name) {
		if *budget--; *budget < 0 {
			t.report(name + " (leads to more repositories than were looked at)")
			return
		}
		if !filepath.IsLocal(path) {
			continue
		}
		sub := filepath.Join(dir, path, ".git")
		st := t.look(sub)
		if st == nil || t.holdIf(sub, t.repository(sub, !t.since(st))) {
			continue
		}
		if inner, ok := t.gitDir(sub); ok {
			t.submodules(filepath.Join(dir, path), inner, budget)
		}
	}
}

// gitlinks are the paths of an index that stand for repositories. One that is split
// has most of its entries in another file.
func (t *tree) gitlinks(git, index string) []string {
	b, err := t.read(index, maxIndex)
	if err != nil {
		t.report(index + " (could not be looked at)")
		return nil
	}
	paths, _ := mask.Submodules(b)
	if !bytes.Contains(b, []byte("link")) { // the extension, or the name of a file
		return paths
	}
	for _, name := range t.list(git) {
		if strings.HasPrefix(name, "sharedindex.") {
			if b, err := t.read(filepath.Join(git, name), maxIndex); err == nil {
				more, _ := mask.Submodules(b)
				paths = append(paths, more...)
			}
		}
	}
	return paths
}

// gitDir is the directory of a .git that may be a file.
func (t *tree) gitDir(name string) (string, bool) {
	if fi, err := t.Stat(name); err == nil && fi.IsDir() {
		return name, true
	}
	text, ok := t.pointer(name)
	if !ok {
		return "", false
	}
	return t.inside(filepath.Dir(name), text)
}

// elsewhere is why a repository is held whose parts lie where the command had no
// business, or that makes no sense.
const elsewhere = "what lies outside of the project"

// repository says what a .git would run, by what has changed only where old.
func (t *tree) repository(name string, old bool) string {
	st, elsewhere := t.look(name), elsewhere
	if old {
		elsewhere = "" // it has been there for long
	}
	if isRegular(st) {
		text, ok := t.pointer(name)
		if !ok {
			return "" // git refuses it
		}
		dir, ok := t.inside(filepath.Dir(name), text)
		if !ok {
			return elsewhere
		}
		return t.contents(dir, old)
	}
	if fi, err := t.Stat(name); err != nil || !fi.IsDir() {
		return elsewhere // a link out, or to nothing yet
	}
	return t.contents(name, old)
}

// pointer reads a .git that is a file: gitdir: PATH.
func (t *tree) pointer(name string) (string, bool) {
	b, err := t.read(name, maxText)
	text, found := strings.CutPrefix(strings.TrimRight(string(b), "\r\n"), "gitdir: ")
	return text, err == nil && found
}

// inside makes a path that stands in a file of dir one below the root.
func (t *tree) inside(dir, path string) (string, bool) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
		return path, filepath.IsLocal(path)
	}
	if path = filepath.Clean(path); !plan.Below(path, t.base) {
		return "", false
	}
	rel, err := filepath.Rel(t.base, path)
	return rel, err == nil
}

// contents says what git's own directory would run.
func (t *tree) contents(dir string, old bool) string {
	pointer := t.look(filepath.Join(dir, "commondir"))
	common, ok := t.common(dir)
	if !ok {
		if old && !t.since(pointer) {
			return "" // it has been there for long
		}
		return elsewhere
	}
	old = old && !t.since(pointer)
	for _, name := range []string{filepath.Join(common, "config"), filepath.Join(dir, "config.worktree")} {
		if why := t.config(name, old); why != "" {
			return why
		}
	}
	return t.hooks(filepath.Join(common, "hooks"), old)
}

// config says what a configuration would run. One that git cannot read it does not
// obey either.
func (t *tree) config(name string, old bool) string {
	if st := t.look(name); st == nil || old && !t.since(st) {
		return ""
	}
	b, err := t.read(name, maxText)
	if err != nil {
		return elsewhere
	}
	return runsByConfig(string(b))
}

// hooks names a hook that would run.
func (t *tree) hooks(dir string, old bool) string {
	if old && !t.since(t.look(dir)) {
		return ""
	}
	for _, name := range t.list(dir) {
		fi, err := t.Stat(filepath.Join(dir, name))
		if !strings.HasSuffix(name, ".sample") && (err != nil || fi.Mode().IsRegular() && fi.Mode()&0o111 != 0) {
			return "hooks/" + name
		}
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
	for i := 1; i < 100; i++ {
		to := name + suffix
		if i > 1 {
			to += strconv.Itoa(i)
		}
		if t.look(to) != nil {
			continue
		}
		if t.Rename(name, to) != nil {
			break
		}
		t.result.Held = append(t.result.Held, Held{Path: filepath.Join(t.base, name), Now: filepath.Join(t.base, to), Why: why})
		return
	}
	t.report(name + " (git would run " + why + ")")
}
