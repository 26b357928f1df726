package later

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A tree is the project after the run.
type tree struct {
	*os.Root
	base   string // its path
	run    Run
	pins   map[string]plan.ID // what was there before and is guarded, by its path below the root
	most   int                // names that are read of a directory
	result Result

	indexes int64 // bytes of indexes that may still be read

	// outside is git's directory of a worktree or a submodule, which lies outside of the
	// project; nil where there is none.
	outside *tree
}

func (r Run) open(root *os.Root, base string) *tree {
	return &tree{Root: root, base: base, run: r, pins: pinsOf(r.plan, base), most: maxNames, indexes: maxAll}
}

// openOutside opens git's directory outside, if the project has one.
func (t *tree) openOutside() {
	if t.run.plan.Repository == "" {
		return
	}
	if root, err := os.OpenRoot(t.run.plan.Repository); err == nil {
		t.outside = t.run.open(root, t.run.plan.Repository)
	}
}

// close ends the look at both.
func (t *tree) close() {
	t.Root.Close()
	if t.outside != nil {
		t.outside.Root.Close()
	}
}

// pinsOf are the mount points of the plan below a directory.
func pinsOf(p *plan.Plan, base string) map[string]plan.ID {
	pins := map[string]plan.ID{}
	for i := range p.Mounts {
		m := &p.Mounts[i]
		if covered := m.Kind == plan.File && !m.ID.IsZero(); (m.Kind == plan.Pin || covered) && m.Destination != base {
			if rel, err := filepath.Rel(base, m.Destination); err == nil && filepath.IsLocal(rel) {
				pins[rel] = m.ID
			}
		}
	}
	return pins
}

// openRoot opens the project, also where the command has closed it: git finds its way
// through a directory that nobody can list.
func openRoot(r plan.Root) (*os.Root, error) {
	root, err := os.OpenRoot(r.Path)
	if !errors.Is(err, fs.ErrPermission) {
		return root, err
	}
	fd, err := unix.Open(r.Path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if id := (plan.ID{Dev: st.Dev, Ino: st.Ino}); id != r.ID {
		return nil, fs.ErrNotExist
	}
	if err := unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), st.Mode&0o7777|0o700); err != nil {
		return nil, err
	}
	return os.OpenRoot(r.Path)
}

// unlock opens dir, and what it lies in, where the caller has the right to and the
// command has taken it away. It reports whether there was anything to do.
func (t *tree) unlock(dir string) (done bool) {
	if dir != "." {
		done = t.unlock(filepath.Dir(dir))
	}
	fi, err := t.Lstat(dir)
	if err != nil || !fi.IsDir() || fi.Mode()&0o700 == 0o700 {
		return done
	}
	return t.Chmod(dir, fi.Mode().Perm()|0o700) == nil || done
}

// insist does something about a name, once more if the directory was closed.
func (t *tree) insist(name string, act func() error) error {
	err := act()
	if errors.Is(err, fs.ErrPermission) && t.unlock(filepath.Dir(name)) {
		err = act()
	}
	return err
}

// look is lstat(2), and nil for what is not there.
func (t *tree) look(name string) *syscall.Stat_t {
	var fi fs.FileInfo
	if t.insist(name, func() (err error) { fi, err = t.Lstat(name); return err }) != nil {
		return nil
	}
	st, _ := fi.Sys().(*syscall.Stat_t)
	return st
}

// was reports whether what is at name was there before, and is the same.
func (t *tree) was(name string, st *syscall.Stat_t) bool { return is(t.pins, name, st) }

func is(ids map[string]plan.ID, name string, st *syscall.Stat_t) bool {
	id, found := ids[name]
	return found && st != nil && id == plan.ID{Dev: uint64(st.Dev), Ino: st.Ino}
}

// identify says what is at path.
func identify(path string) (plan.ID, bool) {
	var st unix.Stat_t
	err := unix.Lstat(path, &st)
	return plan.ID{Dev: st.Dev, Ino: st.Ino}, err == nil
}

// since reports whether something has been changed, made or moved since the start. Some
// file systems count in whole seconds.
func (t *tree) since(st *syscall.Stat_t) bool {
	return st != nil && t.changed(st.Ctim.Unix())
}

func (t *tree) changed(sec, nsec int64) bool {
	if nsec == 0 {
		return sec >= t.run.start.Unix()
	}
	return !time.Unix(sec, nsec).Before(t.run.start)
}

// old reports whether what is at name was there before, as it is now: it could not be
// changed, or it is older than the start, and so is its place. What a directory is
// moved with keeps its time of change: it may have been made in an earlier run, where
// nobody minded it.
func (t *tree) old(name string) bool {
	name, ok := t.real(name)
	st := t.look(name)
	return ok && st != nil && (t.was(name, st) || !t.since(st) && !t.moved(filepath.Dir(name)))
}

// moved reports whether dir, or a directory around it, may have come to its place since
// the start. That changes both it and what it lies in.
func (t *tree) moved(dir string) bool {
	for ; dir != "."; dir = filepath.Dir(dir) {
		st := t.look(dir)
		if t.was(dir, st) || t.base == t.run.plan.Root.Path && is(t.run.were, dir, st) {
			return false
		}
		if t.since(st) && t.since(t.look(filepath.Dir(dir))) {
			return true
		}
	}
	return false
}

// real is name without links in it, where it lies in the tree.
func (t *tree) real(name string) (string, bool) {
	path, err := filepath.EvalSymlinks(filepath.Join(t.base, name))
	if err != nil || !plan.Below(path, t.base) {
		return name, false
	}
	rel, err := filepath.Rel(t.base, path)
	return rel, err == nil
}

// physical is where a word leads that stands in a file of from, both absolute. The kernel
// says what .. is, for git as well: link/.. is not where the link lies. It is not ok
// where nobody can tell; what is not there leads where it seems to.
func (t *tree) physical(from, word string) (path string, ok bool) {
	if !filepath.IsAbs(word) {
		word = from + "/" + word
	}
	real, err := filepath.EvalSymlinks(word)
	for range maxClosed {
		closed, opened := closedBy(err), false
		if rel, err := filepath.Rel(t.base, closed); closed != "" && err == nil && filepath.IsLocal(rel) {
			opened = t.unlock(rel)
		}
		if !opened {
			break
		}
		real, err = filepath.EvalSymlinks(word)
	}
	if err == nil {
		return real, true
	}
	return filepath.Clean(word), errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR)
}

// maxClosed bounds how many closed directories on one way are opened.
const maxClosed = 8

// closedBy is the directory that could not be entered, where that is what an error says.
func closedBy(err error) string {
	var p *fs.PathError
	if errors.Is(err, fs.ErrPermission) && errors.As(err, &p) {
		return filepath.Dir(p.Path)
	}
	return ""
}

func isDir(st *syscall.Stat_t) bool { return st != nil && st.Mode&syscall.S_IFMT == syscall.S_IFDIR }
func isRegular(st *syscall.Stat_t) bool {
	return st != nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG
}

// report names something once, whoever comes upon it.
func (t *tree) report(name, why string) {
	if slices.ContainsFunc(t.result.Changed, func(c Change) bool { return c.Name == name }) {
		return
	}
	t.result.Changed = append(t.result.Changed, Change{Path: filepath.Join(t.base, name), Name: name, Why: why})
}

// short keeps a name that a command has made up from filling the screen.
func short(name string) string {
	const most = 80
	if r := []rune(name); len(r) > most {
		return string(r[:most]) + "..."
	}
	return name
}
