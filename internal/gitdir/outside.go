package gitdir

import (
	"fmt"
	"path/filepath"
	"strings"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// maxFile bounds what is read of a file that is one line long, or a configuration.
const maxFile = 64 << 10

// outside looks at g, a git directory outside of the project that the file .git of dir
// names. A worktree's has three files that name each other:
//
//	DIR/.git                  gitdir: MAIN/worktrees/NAME
//	MAIN/worktrees/NAME/      gitdir: DIR/.git    commondir: ../..
//
// and so has a submodule's:
//
//	DIR/.git                  gitdir: SUPER/modules/NAME
//	SUPER/modules/NAME/config core.worktree = DIR
//	SUPER/HEAD                a git directory
//
// Of them a project can only write the first. So what it names has been told about
// this directory by who could write there.
func (f *finder) outside(dir string, file plan.Source, g string) {
	repository := f.pointsBack(dir, file, g)
	switch {
	case repository == "":
		f.found.Why = fmt.Sprintf("%s names %s, which does not point back at it, so that is not shown", plan.Quote(file.Path), plan.Quote(g))
	case !f.fit(repository):
		f.found.Why = fmt.Sprintf("%s, the git directory of %s, holds more than a git directory, or can be written by others, so it is not shown", plan.Quote(repository), plan.Quote(dir))
	default:
		f.found.Dir, _ = lstat(repository)
		f.below = repository
		f.repository(repository)
		f.below = f.Root
	}
}

// pointsBack returns the repository of g where that knows of dir.
func (f *finder) pointsBack(dir string, file plan.Source, g string) string {
	if filepath.Base(filepath.Dir(g)) == "worktrees" {
		return f.worktree(g, file)
	}
	return f.submodule(g, dir)
}

// worktree returns the repository of a linked worktree whose directory in it is g.
func (f *finder) worktree(g string, file plan.Source) string {
	common, ok := f.read(filepath.Join(g, "commondir"))
	back, also := f.read(filepath.Join(g, "gitdir"))
	repository := filepath.Dir(filepath.Dir(g))
	if !ok || !also || !f.owned(g, plan.Directory) {
		return ""
	}
	if real, err := filepath.EvalSymlinks(absolute(common, g)); err != nil || real != repository {
		return ""
	}
	if s, ok := lstat(absolute(back, g)); !ok || s.ID != file.ID {
		return ""
	}
	return repository
}

// submodule returns g where it is the git directory of a submodule in dir.
func (f *finder) submodule(g, dir string) string {
	config, ok := f.read(filepath.Join(g, "config"))
	tree, set := coreWorktree(config)
	if !ok || !set {
		return ""
	}
	var at, is unix.Stat_t
	if unix.Stat(absolute(tree, g), &at) != nil || unix.Lstat(dir, &is) != nil || at.Dev != is.Dev || at.Ino != is.Ino {
		return ""
	}
	const modules = "/modules/"
	for i := range g {
		if strings.HasPrefix(g[i:], modules) && f.owned(g[:i], plan.Directory) && f.owned(filepath.Join(g[:i], "HEAD"), plan.Regular) {
			return g
		}
	}
	return ""
}

// fit reports whether a repository is one and holds nothing else that matters: a bare
// one may lie around its own worktrees, and a home may be one.
func (f *finder) fit(repository string) bool {
	for _, inner := range append([]string{f.Root}, f.Homes...) {
		if plan.Below(inner, repository) {
			return false
		}
	}
	return f.owned(repository, plan.Directory) && f.owned(filepath.Join(repository, "HEAD"), plan.Regular) &&
		f.owned(filepath.Join(repository, "objects"), plan.Directory) && f.owned(filepath.Join(repository, "refs"), plan.Directory)
}

// owned reports whether path is of a type, the caller's, and not for others to write.
func (f *finder) owned(path string, t plan.Type) bool {
	s, ok := lstat(path)
	return ok && s.Type == t && s.UID == f.UID && s.Perm&0o002 == 0
}

// read returns the text of a small file that only the caller could have written,
// without the line's end.
func (f *finder) read(path string) (text string, ok bool) {
	if !f.owned(path, plan.Regular) {
		return "", false
	}
	return readLine(path)
}

// readLine returns the text of a small file without the line's end.
func readLine(path string) (text string, ok bool) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", false
	}
	defer unix.Close(fd)
	b := make([]byte, maxFile+1)
	n, err := unix.Read(fd, b)
	if err != nil || n > maxFile || strings.IndexByte(string(b[:n]), 0) >= 0 {
		return "", false
	}
	return strings.TrimRight(string(b[:n]), "\r\n"), true
}

// absolute leaves what is .. to the kernel, as git does: link/.. is not where the link lies.
func absolute(path, from string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return from + "/" + path
}
