package shim

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// An UnsafeError says that jail cannot use one of its own directories as it is.
type UnsafeError struct {
	Path  string
	Cause string // one line, lower case, with Path in it
	Hint  string // a command to paste
}

func (e *UnsafeError) Error() string { return e.Cause }

// Advice is a command to paste.
func (e *UnsafeError) Advice() string { return e.Hint }

// DataDir returns the directory that jail keeps its own things in. home is the
// one that passwd names, xdg is $XDG_DATA_HOME. The XDG specification says to
// ignore a value that is not absolute.
//
// A user without a home (a number in a container) has a directory in /var/tmp. What
// was hidden once must be remembered for that user too. Somebody else may have
// taken the name, which is then refused like any directory that is not the
// caller's alone.
func DataDir(home, xdg string) string {
	if home == "" && !filepath.IsAbs(xdg) {
		return filepath.Join(homeless, fmt.Sprintf("jail-%d", os.Geteuid()))
	}
	return xdgDir(xdg, filepath.Join(home, ".local/share"))
}

// homeless is where everybody may make a directory that stays, and nobody remove
// that of another.
const homeless = "/var/tmp"

// ConfigDir returns the directory of the user's own configuration; xdg is
// $XDG_CONFIG_HOME.
func ConfigDir(home, xdg string) string { return xdgDir(xdg, filepath.Join(home, ".config")) }

// DataDirs returns every directory that may be jail's own: the one that DataDir
// names, the one that it would name without a variable, and the one that the
// running program's farm lies in; self is the path of that program. What only ever
// puts a command into a jail is looked for in all of them, so that no variable
// leads past it.
func DataDirs(home, xdg, self string) []string {
	dirs := []string{DataDir(home, xdg)}
	add := func(dir string) {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	add(DataDir(home, ""))
	farm := filepath.Dir(self)
	if filepath.Base(farm) != "shims" {
		return dirs
	}
	above := filepath.Dir(farm)
	add(above)
	// A root's own farm lies at the root's path, which may have any name in it.
	for i := range above {
		if strings.HasPrefix(above[i:], "/roots/") {
			add(above[:i])
		}
	}
	return dirs
}

func xdgDir(value, otherwise string) string {
	if !filepath.IsAbs(value) {
		value = otherwise
	}
	return filepath.Join(value, "jail")
}

// CheckDataDir refuses a directory of jail's own that lies in root or contains
// it: a jailed command could then write its own shims, caches and consent. Paths
// are compared as what they are on disk, so that no link leads around it, nor a
// root that is a bind mount of something above dir. dir need not exist.
func CheckDataDir(dir, root string) error {
	real, realRoot := canonical(dir), canonical(root)
	switch {
	case within(real, realRoot) || identified(real, root):
		return unsafe(dir, "jail's own directory %q lies in the project %q", dir, root)
	case within(realRoot, real) || identified(realRoot, dir):
		return unsafe(dir, "jail's own directory %q contains the project %q", dir, root)
	}
	return nil
}

func unsafe(dir, cause string, args ...any) error {
	return &UnsafeError{Path: dir, Cause: fmt.Sprintf(cause, args...), Hint: "unset XDG_DATA_HOME XDG_CONFIG_HOME"}
}

// canonical resolves the links in path as far as it exists.
func canonical(path string) string {
	missing := ""
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, missing)
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return filepath.Clean(path)
		}
		missing = filepath.Join(filepath.Base(dir), missing)
	}
}

// identified reports whether dir is one of the directories from path upwards,
// by what it is and not by what it is called: a bind mount has another path.
func identified(path, dir string) bool {
	id, ok := identify(dir)
	if !ok {
		return false
	}
	for {
		if at, ok := identify(path); ok && at == id {
			return true
		}
		above := filepath.Dir(path)
		if above == path {
			return false
		}
		path = above
	}
}

// identify returns the identity of what path leads to, through links.
func identify(path string) (plan.ID, bool) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return plan.ID{}, false
	}
	return idOf(&st), true
}

func idOf(st *unix.Stat_t) plan.ID { return plan.ID{Dev: st.Dev, Ino: st.Ino} }

// CheckOnPath refuses a directory that cannot be an entry of PATH.
func CheckOnPath(dir string) error {
	if strings.ContainsRune(dir, ':') {
		return unsafe(dir, "%q cannot be on PATH: it has a colon in it", dir)
	}
	return nil
}
