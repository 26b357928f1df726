package gitdir

import (
	"os"
	"path/filepath"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// An Input is where git is to work. All paths are physical and absolute.
type Input struct {
	Cwd   string   // in Root
	Root  string   // of the project
	Homes []string // of the caller
	UID   uint32   // the caller's
}

// Found is what git needs.
type Found struct {
	Dir  plan.Source   // a git directory outside of the project, to be shown writable; no Path: none
	Pins []plan.Pinned // what must stay as it is, there and in the project's .git, parents first
	Why  string        // why what a .git names is not shown; empty: there is nothing to say
}

// Find looks at the project's .git and at the one that git would use in Cwd.
func Find(in Input) (Found, error) {
	f := finder{Input: in}
	if s, ok := lstat(filepath.Join(in.Root, ".git")); ok && s.Type == plan.Directory {
		f.below = in.Root
		f.worktrees(s.Path)
		f.modules(filepath.Join(s.Path, "modules"), 0)
	}
	if dir, file := in.nearest(); file.Type == plan.Regular {
		f.outside(dir, file)
	}
	f.sort()
	return f.found, f.err
}

type finder struct {
	Input
	below string // what is pinned lies below it
	found Found
	seen  map[string]bool // paths that are pinned
	err   error
}

// nearest finds the .git that git would find, in Cwd or above it in the project.
func (in *Input) nearest() (dir string, file plan.Source) {
	for dir = in.Cwd; plan.Below(dir, in.Root); dir = filepath.Dir(dir) {
		if s, ok := lstat(filepath.Join(dir, ".git")); ok {
			return dir, s
		}
		if dir == "/" {
			break
		}
	}
	return "", plan.Source{}
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
