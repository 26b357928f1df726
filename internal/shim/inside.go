package shim

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// InsideFile is the file by which a program knows that it runs in a jail. The
// launcher makes it on the jail's own root, which is then sealed.
const InsideFile = "/.jail/inside"

// InsideJail reports whether the calling process runs in a jail already. It asks
// for something that only the launcher can have put there, and never for a
// variable: the root is a tmpfs, mounted read-only, with InsideFile on it.
// Whoever can give a process such a root can give it any root.
func InsideJail() bool { return insideJail("/") }

func insideJail(root string) bool {
	var at, file unix.Stat_t
	// Outside, this first call is the only one.
	if unix.Fstatat(unix.AT_FDCWD, filepath.Join(root, InsideFile), &file, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return false
	}
	if file.Mode&unix.S_IFMT != unix.S_IFREG || file.Uid != 0 && file.Uid != uint32(os.Geteuid()) {
		return false
	}
	if unix.Stat(root, &at) != nil || at.Dev != file.Dev {
		return false
	}
	var fs unix.Statfs_t
	return unix.Statfs(root, &fs) == nil && fs.Type == unix.TMPFS_MAGIC && fs.Flags&unix.ST_RDONLY != 0
}
