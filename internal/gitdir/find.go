package gitdir

import (
	"os"
	"path/filepath"
	"strings"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// An Input is where git is to work. All paths are physical and absolute.
type Input struct {
	Cwd   string   // in Root
	Back  string   // where the caller is and comes back to, if that is in Root too
	Root  string   // of the project
	Homes []string // of the caller
	UID   uint32   // the caller's
}

// Found is what git needs.
type Found struct {
	Dir  plan.Source   // a git directory outside of the project, to be shown writable; no Path: none
	Pins []plan.Pinned // what must stay as it is, there and in the project's .git, parents first
	Why  string        // why what a .git names is not shown; empty: there is nothing to say

	Enclosing Enclosing
}

// Find looks at each .git from Cwd up to the root. The nearest is the one that git
// would use in Cwd, and the only one for which something outside is shown. Without any
// the project may be a part of a repository above.
func Find(in Input) (Found, error) {
	f := finder{Input: in, below: in.Root}
	if !f.levels(in.Cwd, true) {
		f.above()
	}
	if in.Back != in.Cwd {
		f.levels(in.Back, false)
	}
	f.sort()
	return f.found, f.err
}

// levels looks at each directory from one up to the root, and reports whether there is a
// .git. The first may have its repository outside, where the command starts there.
func (f *finder) levels(dir string, nearest bool) (found bool) {
	for ; dir != "" && plan.Below(dir, f.Root); dir = filepath.Dir(dir) {
		if file, ok := lstat(filepath.Join(dir, ".git")); ok {
			f.level(dir, file, nearest && !found)
			found = true
		} else if isBare(dir) {
			f.repository(dir)
		}
		if dir == "/" {
			break
		}
	}
	return found
}

// isBare reports whether a directory is a repository itself.
func isBare(dir string) bool {
	for _, part := range [...]string{"HEAD", "objects", "refs"} {
		if _, ok := lstat(filepath.Join(dir, part)); !ok {
			return false
		}
	}
	return true
}

type finder struct {
	Input
	below string // what is pinned lies below it
	found Found
	seen  map[string]bool // paths that are pinned
	err   error
}

// level looks at the .git of one directory.
func (f *finder) level(dir string, file plan.Source, nearest bool) {
	g := leads(dir, file)
	switch {
	case g == "":
	case !plan.Below(g, f.Root):
		if nearest && f.owned(file.Path, plan.Regular) {
			f.outside(dir, file, g)
		}
	case file.Type == plan.Directory:
		// What git runs of this one is read-only as the project's other settings are.
		f.inner(g)
		f.common(g)
	default:
		f.repository(g)
		f.common(g)
	}
}

// Of returns the physical path of the git directory that the .git of a directory stands
// for; empty where there is none.
func Of(dir string) string {
	s, ok := lstat(filepath.Join(dir, ".git"))
	if !ok {
		return ""
	}
	return leads(dir, s)
}

// leads returns the physical path of the git directory that a .git stands for.
func leads(dir string, file plan.Source) string {
	path := file.Path
	switch file.Type {
	case plan.Directory:
		return path
	case plan.Regular:
		text, ok := readLine(path)
		name, is := strings.CutPrefix(text, "gitdir: ")
		if !ok || !is {
			return ""
		}
		path = absolute(name, dir)
	}
	g, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return g
}

func lstat(path string) (plan.Source, bool) {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return plan.Source{}, false
	}
	s := plan.Source{Path: path, ID: plan.ID{Dev: st.Dev, Ino: st.Ino}, UID: st.Uid, Perm: st.Mode & 0o7777}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		s.Type = plan.Directory
	case unix.S_IFREG:
		s.Type = plan.Regular
	case unix.S_IFLNK:
		s.Type = plan.Symlink
		text, err := os.Readlink(path)
		if err != nil {
			return plan.Source{}, false
		}
		s.Link = text
	}
	return s, true
}
