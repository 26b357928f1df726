package later

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// maxInner bounds how many git directories are looked at in one, and deepest is how many
// slashes the name of a submodule may have in it.
const (
	maxInner = 10000
	deepest  = 8
)

// unseen is why something is held that cannot be looked at.
const unseen = "what could not be looked at"

// An interior is a git directory and those in it, of worktrees and submodules. Whoever
// works in one of these, be it outside of the project, or only looks at the repository
// around it, reads its configuration.
type interior struct {
	dirs []string // the git directory itself first
	odd  []string // what is new and leads elsewhere, or is too much
}

func (t *tree) interior(git string) interior {
	in := interior{dirs: []string{git}}
	for i := 0; i < len(in.dirs); i++ {
		in.dirs = append(in.dirs, t.entries(filepath.Join(in.dirs[i], "worktrees"), &in)...)
		t.modules(filepath.Join(in.dirs[i], "modules"), 0, &in)
	}
	return in
}

// modules adds the submodules of a directory. Their names may have slashes in them, so a
// directory without a HEAD is on the way to one.
func (t *tree) modules(dir string, depth int, in *interior) {
	for _, name := range t.entries(dir, in) {
		if st := t.look(filepath.Join(name, "HEAD")); st != nil && !isDir(st) {
			in.dirs = append(in.dirs, name)
		} else if depth < deepest {
			t.modules(name, depth+1, in)
		}
	}
}

// entries are the directories in dir, also behind links.
func (t *tree) entries(dir string, in *interior) (dirs []string) {
	var st unix.Stat_t // the path may lead anywhere; mostly there is nothing
	if unix.Lstat(filepath.Join(t.base, dir), &st) == unix.ENOENT {
		return nil
	}
	names, whole := t.list(dir)
	if !whole || len(in.dirs)+len(names) > maxInner {
		in.odd = append(in.odd, dir)
		return nil
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		fi, err := t.Stat(path)
		switch {
		case err == nil && fi.IsDir():
			dirs = append(dirs, path)
		case err != nil && !t.old(path):
			in.odd = append(in.odd, path) // a link out of the tree
		}
	}
	return dirs
}
