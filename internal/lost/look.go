package lost

import (
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A Kind is what was lost.
type Kind int

// The kinds, the one that hurts most first.
const (
	Program Kind = iota // something was installed
	Data                // a file or directory that is no setting of a tool's
	Cache               // a download that is worth keeping, by its size
)

// A Find is one thing that is gone.
type Find struct {
	Kind  Kind
	Path  string // below the home: ".cargo/bin/tool"
	Bytes int64  // of a Cache
}

// Bounds of a look. A hostile command can make any number of names.
const (
	maxEntries = 256 // of one directory
	maxDirs    = 200
	maxDepth   = 6
	maxFinds   = 50
	largeCache = 64 << 20
)

// yarnLinks is where yarn keeps links to packages by their names, of "yarn link".
const yarnLinks = ".config/yarn/link"

// Look returns what a command left in the home that fd is, which may be an O_PATH
// descriptor. made reports whether a path below the home is the jail's own making,
// or leads to something that is.
func Look(fd int, made func(below string) bool) []Find {
	l := &looker{made: made, dirs: maxDirs}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return nil
	}
	l.dev = st.Dev
	l.top(fd)
	return programsFirst(l.found)
}

// programsFirst puts the worst loss first, and leaves out a package where a program
// of the same installation is there to name it.
func programsFirst(found []Find) []Find {
	installed := map[string]bool{}
	for _, f := range found {
		if f.Kind == Program && path.Base(path.Dir(f.Path)) == "bin" {
			installed[first(f.Path)] = true
		}
	}
	found = slices.DeleteFunc(found, func(f Find) bool {
		return f.Kind == Program && path.Base(path.Dir(f.Path)) != "bin" && installed[first(f.Path)]
	})
	slices.SortStableFunc(found, func(a, b Find) int { return int(a.Kind) - int(b.Kind) })
	return found
}

// first is the first component of a path.
func first(p string) string {
	p, _, _ = strings.Cut(p, "/")
	return p
}

type looker struct {
	made  func(string) bool
	dev   uint64
	dirs  int // that may still be read
	found []Find
}

// top looks at what is in the home itself.
func (l *looker) top(home int) {
	for _, e := range l.read(home, ".") {
		name := e.Name()
		hidden := name[0] == '.'
		switch {
		case !hidden && !l.made(name) && name != "go":
			l.add(Find{Kind: Data, Path: name})
		case !e.IsDir() || private(name):
		case name == ".cache":
		default:
			l.programs(home, name, 1)
		}
	}
	l.caches(home)
}

// programs looks for programs and packages below a directory.
func (l *looker) programs(home int, dir string, depth int) {
	if depth > maxDepth || len(l.found) >= maxFinds {
		return
	}
	for _, e := range l.read(home, dir) {
		at := dir + "/" + e.Name()
		switch {
		case !e.IsDir():
			if (path.Base(dir) == "bin" || dir == yarnLinks) && !l.made(at) {
				l.add(Find{Kind: Program, Path: at})
			}
		case e.Name() == "site-packages" || e.Name() == "node_modules":
			l.packages(home, at)
		case e.Name() == "toolchains" || e.Name() == "versions":
			l.versions(home, at)
		default:
			l.programs(home, at, depth+1)
		}
	}
}

// packages adds one name for all that was installed in a directory of packages,
// unless a program says it already.
func (l *looker) packages(home int, dir string) {
	for _, e := range l.read(home, dir) {
		at := dir + "/" + e.Name()
		if e.Name()[0] != '.' && !strings.HasSuffix(e.Name(), "-info") && !l.made(at) {
			l.add(Find{Kind: Program, Path: at})
			return
		}
	}
}

// versions adds what a version manager installed.
func (l *looker) versions(home int, dir string) {
	for _, e := range l.read(home, dir) {
		if at := dir + "/" + e.Name(); e.IsDir() && !l.made(at) {
			l.add(Find{Kind: Program, Path: at})
		}
	}
}

// caches adds the largest directories of what can be fetched again, if the home
// holds enough for one to matter. Only such places are named as can be shown to a
// command by those who want to: nothing in them is run by the host.
func (l *looker) caches(home int) {
	var fs unix.Statfs_t
	if unix.Fstatfs(home, &fs) != nil || int64(fs.Blocks-fs.Bfree)*fs.Bsize < largeCache {
		return
	}
	dirs := []string{".gradle/caches", ".m2/repository", ".nuget/packages"}
	for _, e := range l.read(home, ".cache") {
		if e.IsDir() {
			dirs = append(dirs, ".cache/"+e.Name())
		}
	}
	for _, dir := range dirs {
		if l.made(dir) {
			continue
		}
		if n := l.size(home, dir, 1); n >= largeCache {
			l.add(Find{Kind: Cache, Path: dir, Bytes: n})
		}
	}
}

// size is what the files below a directory take, as far as they are looked at.
func (l *looker) size(home int, dir string, depth int) (sum int64) {
	if depth > maxDepth {
		return 0
	}
	for _, e := range l.read(home, dir) {
		if e.IsDir() {
			sum += l.size(home, dir+"/"+e.Name(), depth+1)
			continue
		}
		var st unix.Stat_t
		if unix.Fstatat(home, dir+"/"+e.Name(), &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
			sum += st.Blocks * 512
		}
	}
	return sum
}

func (l *looker) add(f Find) {
	if len(l.found) < maxFinds {
		l.found = append(l.found, f)
	}
}

// read lists a directory of the home, as far as it may be.
func (l *looker) read(home int, dir string) []os.DirEntry {
	if l.dirs == 0 {
		return nil
	}
	l.dirs--
	fd, err := open(home, dir, l.dev)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), dir)
	defer f.Close()
	entries, _ := f.ReadDir(maxEntries)
	return entries
}

// open opens a directory by one component after the other: none may be a link,
// which would lead out of the home to the host's own files, and none on another file
// system.
func open(home int, dir string, dev uint64) (int, error) {
	at := home
	for rest, more := dir, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		how := unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_PATH
		if !more {
			how = unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_RDONLY | unix.O_NONBLOCK
		}
		fd, err := unix.Openat(at, name, how, 0)
		if at != home {
			unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		var st unix.Stat_t
		if unix.Fstat(fd, &st) != nil || st.Dev != dev {
			unix.Close(fd)
			return -1, unix.EXDEV
		}
		at = fd
	}
	return at, nil
}

// private reports whether a name is that of a place of credentials. What a command
// writes there is not work that anybody should keep.
func private(name string) bool {
	switch name {
	case ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".claude", ".codex", ".gemini":
		return true
	}
	return false
}
