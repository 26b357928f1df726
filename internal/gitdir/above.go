package gitdir

import (
	"path/filepath"
	"slices"

	"jail/internal/sandbox/plan"
)

// An Enclosing repository is one that the project is a part of.
type Enclosing struct {
	Tree  string        // the directory that holds its .git; empty: there is none
	Shown []plan.Source // what git needs of it, all to be read-only
}

// above looks for the repository that the project is a part of, as git does: in each
// directory above, on one file system. It ends below a home, whose repository would
// be of everything there, and so of what a jail is to hide.
func (f *finder) above() {
	root, ok := lstat(f.Root)
	for dir := filepath.Dir(f.Root); ok && dir != "/"; dir = filepath.Dir(dir) {
		above, is := lstat(dir)
		if !is || above.ID.Dev != root.ID.Dev || f.holdsHome(dir) {
			return
		}
		if s, found := lstat(filepath.Join(dir, ".git")); found {
			f.found.Enclosing = f.enclosing(dir, s)
			return
		}
	}
}

func (f *finder) enclosing(dir string, s plan.Source) Enclosing {
	switch s.Type {
	case plan.Directory:
		if f.fit(s.Path) {
			return Enclosing{dir, []plan.Source{s}}
		}
	case plan.Regular:
		g := leads(dir, s)
		if g == "" || plan.Below(g, f.Root) || !f.owned(s.Path, plan.Regular) {
			break
		}
		if repository := f.pointsBack(dir, s, g); repository != "" && f.fit(repository) {
			r, _ := lstat(repository)
			return Enclosing{dir, []plan.Source{s, r}}
		}
	}
	return Enclosing{}
}

// holdsHome reports whether a home is dir or lies in it.
func (f *finder) holdsHome(dir string) bool {
	return slices.ContainsFunc(f.Homes, func(home string) bool { return plan.Below(home, dir) })
}
