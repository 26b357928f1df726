package mask

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// settles is how old a change must be before its time stamp tells it from a later
// one: file systems count in ticks, some in seconds.
const settles = int64(2 * time.Second)

// A record is what a walk saw in one directory, less the names that are of no
// interest. It stands for reading the directory again as long as that is the same
// one, at the same place below the root, with the same ctime: no name comes, goes
// or is replaced without a new one, and no process can choose it. What the rules
// make of the names is worked out anew each time.
//
// The place is that of the record in the tree: the record of a/b is looked for
// only where a/b stands, so that a subtree that moved, whose inner directories
// keep their ctimes, is read again, and so is one that took its place.
type record struct {
	id      plan.ID
	stamp   int64 // the ctime; 0 where it does not tell this state from a later one
	around  around
	marks   marks
	second  bool // a name in it needs a second look, so it must be opened
	files   int
	entries []kept // sorted by name
}

// A kept is a name in a record.
type kept struct {
	name    string
	typ     uint8    // DT_...
	ino     uint64   // of what is no directory
	verdict *verdict // on a file's content, if there is one
	old     saved    // the record of a directory, if it has one,
	child   *record  // and a newer one

	all, own int // how long that is as it is written; see section
}

// Around is what the directories above say about one. Besides its names, it
// decides which of them need a second look.
type around struct {
	named   bool
	suspect int
	inherit bool
	partial partial
}

func (d *dir) around() around {
	a := around{named: d.named, suspect: d.suspect}
	if d.inherit != nil {
		a.inherit, a.partial = true, *d.inherit
	}
	return a
}

// tells reports whether r tells what is in d, of which st was said now.
func (r *record) tells(d *dir, st *stat) bool {
	return r.stamp != 0 && r.stamp == st.ctime && r.id == st.id && r.around == d.around()
}

// find returns the entry of that name, or nil.
func (r *record) find(name string) *kept {
	if r == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(r.entries, name, func(e kept, name string) int { return strings.Compare(e.name, name) })
	if !found {
		return nil
	}
	return &r.entries[i]
}

// recall takes the names in d from its old record instead of the directory. It
// reports false where that makes no sense.
func (k *worker) recall(d *dir, r *record, names entryReader) bool {
	k.marks, k.steady = r.marks, true
	if r.second { // what is learned of its files goes into the record
		if d.rec = d.old.decode(k.dev); d.rec == nil {
			return false
		}
		for i := range d.rec.entries {
			e := &d.rec.entries[i]
			k.recallEntry(d, e, e)
		}
	} else {
		var e kept
		for names.next(&e) {
			k.recallEntry(d, &e, nil)
		}
		if names.bad {
			return false
		}
	}
	k.found.dirs++
	k.found.files += r.files
	return true
}

func (k *worker) recallEntry(d *dir, e, lasting *kept) {
	k.name = append(k.name[:0], e.name...)
	k.entry(d, entry{name: e.name, typ: e.typ, ino: e.ino, kept: lasting, old: e.old}, k.name)
}

// remember makes a record of d, whose names have all been read just now. What the
// last one knew about directories and files in it stays, each by its own stamp.
func (k *worker) remember(d *dir, f, files int) {
	if !d.keeping {
		return
	}
	before := d.old.decode(k.dev)
	r := &record{id: k.at.id, around: d.around(), marks: k.marks, second: len(k.spoken) > 0, files: files}
	r.entries = make([]kept, 0, len(k.spoken)+len(k.below))
	for _, list := range [...][]entry{k.spoken, k.below} {
		for i := range list {
			e := kept{name: list[i].name, typ: list[i].typ, ino: list[i].ino}
			if b := before.find(e.name); b != nil {
				e.old, e.verdict = b.old, b.verdict
			}
			r.entries = append(r.entries, e)
		}
	}
	slices.SortFunc(r.entries, func(a, b kept) int { return strings.Compare(a.name, b.name) })
	for _, list := range [...][]entry{k.spoken, k.below} {
		for i := range list {
			e := r.find(list[i].name)
			list[i].kept, list[i].old = e, e.old
		}
	}
	d.rec = r
	if k.steady = reliable(k.fs.of(f, k.at.id.Dev)); k.steady && k.settled(&k.at) {
		r.stamp = k.at.ctime
		k.news(d)
	}
}

// news makes the record of d part of what is written for the next launch, and so
// those of all directories above it.
func (w *walk) news(d *dir) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !d.isNews {
		d.isNews = true
		if d.isRoot {
			w.top = d.rec
			return
		}
		p := d.parent
		if p.rec == nil {
			p.rec = p.old.decode(w.dev)
		}
		if e := p.rec.find(d.name); e != nil {
			e.child = d.rec
		}
		d = p
	}
}

// settled reports whether a change of what st was said of would show in its
// ctime, as long as the caller may read it at all.
func (w *walk) settled(st *stat) bool {
	return st.ctime <= w.before && (st.typ != plan.Directory || !shut(st, w.euid))
}

// shut reports whether a directory's owner has closed it to itself.
func shut(st *stat, euid uint32) bool { return st.uid == euid && st.mode&0o500 != 0o500 }

// A fileSystem is the one that was asked for last.
type fileSystem struct {
	magic uint32
	dev   uint64
}

// of returns the magic number of the file system that f lies on.
func (s *fileSystem) of(f int, dev uint64) uint32 {
	if s.magic == 0 || s.dev != dev {
		var st unix.Statfs_t
		if unix.Fstatfs(f, &st) != nil {
			return 0
		}
		s.magic, s.dev = uint32(st.Type), dev
	}
	return s.magic
}

const (
	zfsMagic      = 0x2fc12fc1
	bcachefsMagic = 0xca451a4e
)

// reliable knows the file systems whose ctimes this kernel alone sets, and at each
// change. A server's come late, or by another's clock.
func reliable(magic uint32) bool {
	switch magic {
	case unix.OVERLAYFS_SUPER_MAGIC, zfsMagic, bcachefsMagic:
		return true
	}
	return exactInodes(magic)
}

// exactInodes knows the file systems that give the same inode number in a
// directory as stat(2) does. Overlays and many servers do not.
func exactInodes(magic uint32) bool {
	switch magic {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC:
		return true
	}
	return false
}
