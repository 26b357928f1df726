package detect

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// within reports whether path is dir or lies below it. Both are clean and
// absolute. It compares whole components: /x/proj-evil is not within /x/proj.
func within(path, dir string) bool {
	if dir == "/" || path == dir {
		return true
	}
	return len(path) > len(dir) && path[len(dir)] == '/' && path[:len(dir)] == dir
}

// withinAny reports whether path lies in one of dirs.
func withinAny(path string, dirs []string) bool {
	for _, dir := range dirs {
		if within(path, dir) {
			return true
		}
	}
	return false
}

// join is filepath.Join for a clean directory and one plain name, without
// cleaning again.
func join(dir, name string) string {
	if dir == "/" {
		return "/" + name
	}
	return dir + "/" + name
}

// maxLinks is how many links one path may go through, as in path_resolution(7).
const maxLinks = 40

// follow resolves path, which is absolute, one component at a time. It returns
// every link on the way, in the order in which they were met, and what stands
// at the end. All paths in the answer are physical.
func follow(path string) (hops []plan.Source, end plan.Source, err error) {
	cur, rest := "/", split(path)
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			cur = filepath.Dir(cur) // cur has no links, so this is the real parent
			end = plan.Source{}
			continue
		}
		if end, err = Stat(join(cur, name)); err != nil {
			return hops, plan.Source{}, err
		}
		if end.Type != plan.Symlink {
			cur = end.Path
			continue
		}
		if hops = append(hops, end); len(hops) > maxLinks {
			return hops, plan.Source{}, unix.ELOOP
		}
		if filepath.IsAbs(end.Link) {
			cur = "/"
		}
		rest = append(split(end.Link), rest...)
		end = plan.Source{}
	}
	if end.Path == "" { // the path ended in ".." or was "/"
		end, err = Stat(cur)
	}
	return hops, end, err
}

// split returns the components of path that mean something.
func split(path string) []string {
	names := strings.Split(path, "/")
	kept := names[:0]
	for _, name := range names {
		if name != "" && name != "." {
			kept = append(kept, name)
		}
	}
	return kept
}

// physical is path without links in it; path itself where it does not exist.
func physical(path string) string {
	if _, end, err := follow(path); err == nil {
		return end.Path
	}
	return path
}
