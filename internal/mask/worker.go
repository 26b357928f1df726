package mask

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// A worker reads one directory after the other. What it needs for each is kept
// from one to the next, so that files cost no allocation.
type worker struct {
	*walk
	buf    []byte // of getdents64
	folded []byte // the name at hand
	name   []byte // the same, as it is
	path   []byte // of the directory at hand
	free   []*dir // to be used again

	// Of the directory at hand:
	current *dir
	marks   marks
	spoken  []entry // names that a rule or something above speaks about
	below   []entry // directories to be read
	locked  bool    // its names can be read, but not what they name
	exact   bool    // its inode numbers are those of stat(2)
	at      stat    // of itself, if that matters
	steady  bool    // its file system's ctimes can be relied on

	fs fileSystem

	next  []*dir
	found findings
}

// bufferSize holds the names of a directory of some thousand files in one call.
const bufferSize = 64 << 10

func newWorker(w *walk) *worker {
	return &worker{walk: w, folded: make([]byte, 0, 256)}
}

// An entry is a name in the directory at hand that needs a second look.
type entry struct {
	name    string
	typ     uint8    // DT_...
	rule    int      // the last one that matches, or none
	suspect int      // see dir
	inherit *partial // see dir
	alias   bool     // its inode may be one of walk.inodes
	ino     uint64
	kept    *kept // what is remembered of it; may be nil
	old     saved // the record of a directory; may be none
}

func (e *entry) kind() entryKind { return kindOf(e.typ) }

func kindOf(typ uint8) entryKind {
	switch typ {
	case unix.DT_DIR:
		return isDir
	case unix.DT_LNK:
		return isLink
	}
	return isFile
}

// Marks are names that say what the directory around them is.
type marks struct{ venv, tag bool }

func (m *marks) see(name []byte) {
	switch string(name) {
	case "pyvenv.cfg":
		m.venv = true
	case "CACHEDIR.TAG":
		m.tag = true
	}
}

// read reads d, notes what is to be hidden in it, and leaves the directories
// below it in next. An error ends the walk: what cannot be told must not pass.
func (k *worker) read(d *dir) error {
	k.current = d
	defer k.leave(d.parent)
	k.marks, k.spoken, k.below, k.locked, k.steady = marks{}, k.spoken[:0], k.below[:0], false, false
	f, known, err := k.reach(d)
	if err != nil {
		return k.unreadable(d, err)
	}
	if !known {
		err = k.list(d, f)
	}
	if err == nil {
		err = k.settle(d, f)
	}
	if k.locked && err == nil {
		k.next = k.next[:0]
		err = k.closed(d)
	}
	if !d.named {
		k.found.places = append(k.found.places, d.path())
	}
	k.keep(d, f, k.next)
	if len(k.next) == 0 {
		k.free = append(k.free, d)
	}
	return err
}

// newDir returns a dir, one that is done with if there is one: where nothing has
// changed, a few serve for all.
func (k *worker) newDir() *dir {
	if len(k.free) == 0 {
		block := make([]dir, 16)
		for i := range block {
			k.free = append(k.free, &block[i])
		}
	}
	d := k.free[len(k.free)-1]
	k.free = k.free[:len(k.free)-1]
	return d
}

// reach finds out whether d is as it was when it was remembered. It opens d if
// not, or if something in it must be looked at; else f is -1.
func (k *worker) reach(d *dir) (f int, known bool, err error) {
	r, names := d.old.open(k.dev)
	if r.stamp != 0 && !r.second && d.length < maxGlance && k.glance(d, &k.at) == nil && r.tells(d, &k.at) {
		if k.recall(d, &r, names) {
			return -1, true, nil
		}
		k.forget(d)
	}
	if f, err = k.open(d); err != nil || !d.keeping && k.inodes == nil {
		return f, false, err
	}
	if err = statOf(f, &k.at); err != nil {
		unix.Close(f)
		return -1, false, err
	}
	if r.tells(d, &k.at) {
		if k.recall(d, &r, names) {
			return f, true, nil
		}
		k.forget(d)
	}
	return f, false, nil
}

// forget undoes what a record that makes no sense has done.
func (k *worker) forget(d *dir) {
	k.marks, k.spoken, k.below = marks{}, k.spoken[:0], k.below[:0]
	d.old, d.rec = saved{}, nil
}

// list reads all names of d.
func (k *worker) list(d *dir, f int) error {
	if k.buf == nil {
		k.buf = make([]byte, bufferSize)
	}
	files := k.found.files
	k.exact = k.inodes == nil || exactInodes(k.fs.of(f, k.at.id.Dev))
	for {
		buf, err := getdents(f, k.buf)
		switch {
		case err != nil && (gone(err) || refused(err)):
			return k.unreadable(d, err)
		case err != nil:
			return fmt.Errorf("read %q: %w", d.path(), err)
		case len(buf) == 0:
			k.found.read++
			k.found.dirs++
			k.remember(d, f, k.found.files-files)
			return nil
		}
		if err := k.entries(d, f, buf); err != nil {
			return err
		}
	}
}

// entries goes through some of the names of d.
func (k *worker) entries(d *dir, f int, names dirents) error {
	var e dirent
	more, err := names.next(&e)
	for ; more; more, err = names.next(&e) {
		if e.typ == unix.DT_UNKNOWN {
			if e.typ = k.typeAt(f, e.name); e.typ == unix.DT_UNKNOWN {
				continue // it has gone
			}
		}
		if e.typ != unix.DT_DIR {
			k.found.files++
			k.marks.see(e.name)
			if !k.exact && e.typ == unix.DT_REG {
				e.ino = k.inodeAt(f, e.name)
			}
		}
		k.entry(d, entry{typ: e.typ, ino: e.ino}, e.name)
	}
	return err
}

// inodeAt asks what the directory does not say rightly.
func (k *worker) inodeAt(f int, name []byte) uint64 {
	var st stat
	if err := statAt(f, string(name), &st); err != nil {
		k.locked = k.locked || refused(err)
		return 0
	}
	return st.id.Ino
}

// typeAt asks what some file systems do not say in their directories.
func (k *worker) typeAt(f int, name []byte) uint8 {
	var st stat
	switch err := statAt(f, string(name), &st); {
	case refused(err):
		k.locked = true
		return unix.DT_UNKNOWN
	case err != nil:
		return unix.DT_UNKNOWN
	}
	return uint8(st.mode & unix.S_IFMT >> 12)
}

// entry decides in a few comparisons whether a name needs a second look. Until then
// that costs no string.
func (k *worker) entry(d *dir, e entry, name []byte) {
	typ := e.typ
	directory := typ == unix.DT_DIR
	e.rule, e.suspect = none, none
	e.alias = typ == unix.DT_REG && k.inodes != nil && k.inodes[e.ino]
	if !d.states.empty() || !d.named && !k.rules.silent(name) {
		k.folded = fold(k.folded[:0], name)
		e.rule = k.speak(d, k.folded, kindOf(typ), len(k.rules.rules))
	}
	switch {
	case e.rule != none, d.suspect != none, d.inherit != nil, e.alias, d.isRoot && guards(name),
		typ == unix.DT_LNK && len(d.states.inner) > 0:
		k.spoken = append(k.spoken, e.named(name))
	case directory && !(d.states.empty() && (d.named || unsearched(name))), !d.named && guards(name):
		k.below = append(k.below, e.named(name))
	}
}

func (e entry) named(name []byte) entry {
	if e.name == "" {
		e.name = string(name)
	}
	return e
}

// speak returns the last rule below limit that matches a name in d.
func (k *worker) speak(d *dir, folded []byte, kind entryKind, limit int) int {
	if d.named {
		return k.rules.anchored(folded, kind, &d.states, limit)
	}
	return k.rules.verdict(folded, kind, &d.states, limit)
}

const dotGit = ".git"

// unsearched knows directories by name that hold what others published, or git's
// own files: a mount point in them breaks installs and hides nothing of the
// project's. The names are exact: a tool that spells them otherwise is searched.
func unsearched(name []byte) bool {
	switch string(name) {
	case "node_modules", "site-packages", dotGit:
		return true
	}
	return false
}

// Unsearched reports whether a directory of that name is not searched, so that it is
// not in a Tree.
func Unsearched(name string) bool { return unsearched([]byte(name)) }

// inVenv knows the directories of a virtual environment.
func inVenv(name string) bool {
	switch name {
	case "bin", "lib", "lib64", "include":
		return true
	}
	return false
}
