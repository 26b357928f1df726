package later

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"jail/internal/mask"
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
		if why := t.repository(name, false); why != "" {
			t.hold(name, why)
		}
	case isDir(st):
		t.parts(name, "commondir", "config", "config.worktree", "hooks")
		t.submodules(dir, name)
	}
}

// bare looks at a directory that is a repository itself, without a .git.
func (t *tree) bare(dir string) {
	head := filepath.Join(dir, "HEAD")
	if !isRegular(t.look(head)) || !isDir(t.look(filepath.Join(dir, "objects"))) || !isDir(t.look(filepath.Join(dir, "refs"))) {
		return
	}
	if why := t.contents(dir, !t.since(t.look(head))); why != "" {
		t.hold(head, why)
	}
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
		if why != "" {
			t.hold(name, why)
		}
	}
}

// submodules looks at the repositories that a look at this one leads to, where that
// can have changed.
func (t *tree) submodules(dir, git string) {
	name := filepath.Join(git, "index")
	if !t.since(t.look(name)) {
		return
	}
	b, err := t.read(name, maxIndex)
	if err != nil {
		return
	}
	paths, _ := mask.Submodules(b)
	for _, path := range paths {
		if !filepath.IsLocal(path) {
			continue
		}
		sub := filepath.Join(dir, path, ".git")
		if st := t.look(sub); st != nil {
			if why := t.repository(sub, !t.since(st)); why != "" {
				t.hold(sub, why)
			}
		}
	}
}

// elsewhere is why a repository is held whose parts lie where the command had no
// business, or that makes no sense.
const elsewhere = "what lies outside of the project"

// repository says what a .git would run, by what has changed only where old.
func (t *tree) repository(name string, old bool) string {
	st := t.look(name)
	if isRegular(st) {
		return t.pointer(name, old)
	}
	if fi, err := t.Stat(name); err != nil || !fi.IsDir() {
		return elsewhere // a link out, or to nothing yet
	}
	return t.contents(name, old)
}

// pointer follows a .git that is a file: gitdir: PATH.
func (t *tree) pointer(name string, old bool) string {
	b, err := t.read(name, maxText)
	text, found := strings.CutPrefix(strings.TrimRight(string(b), "\r\n"), "gitdir: ")
	if err != nil || !found {
		return ""
	}
	dir, ok := t.inside(filepath.Dir(name), text)
	if !ok {
		return elsewhere
	}
	return t.contents(dir, old)
}

// inside makes a path that stands in a file of dir one below the root.
func (t *tree) inside(dir, path string) (string, bool) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
		return path, filepath.IsLocal(path)
	}
	root := t.run.plan.Root.Path
	if path = filepath.Clean(path); !plan.Below(path, root) {
		return "", false
	}
	rel, err := filepath.Rel(root, path)
	return rel, err == nil
}

// contents says what git's own directory would run.
func (t *tree) contents(dir string, old bool) string {
	common := dir
	b, err := t.read(filepath.Join(dir, "commondir"), maxText)
	switch {
	case err == nil:
		var ok bool
		if common, ok = t.inside(dir, strings.TrimRight(string(b), "\r\n")); !ok {
			return elsewhere
		}
		old = old && !t.since(t.look(filepath.Join(dir, "commondir")))
	case !errors.Is(err, fs.ErrNotExist):
		return elsewhere
	}
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
