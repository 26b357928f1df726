package mask

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// A worker reads one directory after the other. What it needs for each is kept
// from one to the next, so that files cost no allocation.
type worker struct {
	*walk
	buf    []byte // of getdents64
	folded []byte // the name at hand

	// Of the directory at hand:
	current *dir
	marks   marks
	spoken  []entry // names that a rule or something above speaks about
	below   []entry // directories to be read
	locked  bool    // its names can be read, but not what they name
	exact   bool    // its inode numbers are those of stat(2)

	next  []*dir
	found findings
}

// bufferSize holds the names of a directory of some thousand files in one call.
const bufferSize = 64 << 10

func newWorker(w *walk) *worker {
	return &worker{walk: w, buf: make([]byte, bufferSize), folded: make([]byte, 0, 256)}
}

// An entry is a name in the directory at hand that needs a second look.
type entry struct {
	name    string
	typ     uint8    // DT_...
	rule    int      // the last one that matches, or none
	suspect int      // see dir
	inherit *partial // see dir
	alias   bool     // its inode may be one of walk.aliases
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
	f, err := k.open(d)
	if err != nil {
		return k.unreadable(d, err)
	}
	k.marks, k.spoken, k.below, k.locked = marks{}, k.spoken[:0], k.below[:0], false
	k.exact = k.aliases == nil || exactInodes(f)
	if err = k.list(d, f); err == nil {
		err = k.settle(d, f)
	}
	if k.locked && err == nil {
		k.next = k.next[:0]
		err = k.closed(d)
	}
	k.keep(d, f, k.next)
	return err
}

// list reads all names of d.
func (k *worker) list(d *dir, f int) error {
	for {
		n, err := unix.Getdents(f, k.buf)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil && (gone(err) || refused(err)):
			return k.unreadable(d, err)
		case err != nil:
			return fmt.Errorf("read %q: %w", d.path(), err)
		case n <= 0:
			k.found.dirs++
			return nil
		}
		if err := k.entries(d, f, k.buf[:n]); err != nil {
			return err
		}
	}
}

// entries goes through what getdents64 returned: for each name inode (8 bytes),
// offset (8), length of the record (2), type (1), and the name with a NUL.
func (k *worker) entries(d *dir, f int, buf []byte) error {
	const header = 19
	for len(buf) > header {
		length := int(binary.NativeEndian.Uint16(buf[16:]))
		if length <= header || length > len(buf) {
			return unix.EIO // no file system that we know; a loop without end otherwise
		}
		name := buf[header:length]
		if i := bytes.IndexByte(name, 0); i >= 0 {
			name = name[:i]
		}
		ino, typ := binary.NativeEndian.Uint64(buf), buf[18]
		buf = buf[length:]
		if len(name) == 0 || name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.') {
			continue
		}
		if typ == unix.DT_UNKNOWN {
			if typ = k.typeAt(f, name); typ == unix.DT_UNKNOWN {
				continue // it has gone
			}
		}
		k.entry(d, name, typ, ino)
	}
	return nil
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

// entry decides in a few comparisons whether a name needs a second look.
func (k *worker) entry(d *dir, name []byte, typ uint8, ino uint64) {
	e := entry{typ: typ, rule: none, suspect: none}
	directory := typ == unix.DT_DIR
	if !directory {
		k.found.files++
		k.marks.see(name)
		e.alias = k.aliases != nil && typ == unix.DT_REG && k.mayBeAlias(ino)
	}
	if !d.states.empty() || !d.named && !k.rules.silent(name) {
		k.folded = fold(k.folded[:0], name)
		e.rule = k.speak(d, k.folded, kindOf(typ), len(k.rules.rules))
	}
	switch {
	case e.rule != none, d.suspect != none, d.inherit != nil, e.alias, d.isRoot && guards(name),
		typ == unix.DT_LNK && len(d.states.inner) > 0:
		e.name = string(name)
		k.spoken = append(k.spoken, e)
	case directory && !(d.states.empty() && (d.named || unsearched(name))):
		e.name = string(name)
		k.below = append(k.below, e)
	}
}

// speak returns the last rule below limit that matches a name in d.
func (k *worker) speak(d *dir, folded []byte, kind entryKind, limit int) int {
	if d.named {
		return k.rules.anchored(folded, kind, &d.states, limit)
	}
	return k.rules.verdict(folded, kind, &d.states, limit)
}

// unsearched knows directories by name that hold what others published, or git's
// own files: a mount point in them breaks installs and hides nothing of the
// project's. The names are exact: a tool that spells them otherwise is searched.
func unsearched(name []byte) bool {
	switch string(name) {
	case "node_modules", "site-packages", ".git":
		return true
	}
	return false
}

// inVenv knows the directories of a virtual environment.
func inVenv(name string) bool {
	switch name {
	case "bin", "lib", "lib64", "include":
		return true
	}
	return false
}
