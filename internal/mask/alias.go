package mask

import (
	"fmt"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// seek makes the walk look for other names of these files.
func (w *walk) seek(files map[plan.ID]alias) {
	w.aliases, w.inodes = files, map[uint64]bool{}
	for id := range files {
		w.inodes[id.Ino] = true
	}
}

// mayBeAlias reports whether a file with this inode number in its directory needs
// a closer look.
func (k *worker) mayBeAlias(ino uint64) bool { return !k.exact || k.inodes[ino] }

// exactInodes reports whether the file system of a directory gives the same inode
// number there as stat(2) does. Overlays and many servers do not.
func exactInodes(f int) bool {
	var st unix.Statfs_t
	if unix.Fstatfs(f, &st) != nil {
		return false
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC:
		return true
	}
	return false
}

// hideAlias hides the entry if it is another name of a hidden file.
func (l *lookup) hideAlias() error {
	var st stat
	switch err := statAt(l.f, l.e.name, &st); {
	case refused(err):
		l.locked = true
		return nil
	case err != nil && !gone(err):
		return fmt.Errorf("look at %q: %w", l.d.in(l.e.name), err)
	case err != nil:
		return nil
	}
	a, found := l.aliases[st.id]
	if !found {
		return nil
	}
	return l.hit(l.d.in(l.e.name), &st, a.rule, fmt.Sprintf("another name of %q", a.path))
}
