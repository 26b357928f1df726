package shim

import (
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// RootFarms returns the directory below which the farms of roots lie, each at its
// root's path.
func RootFarms(dataDir string) string { return filepath.Join(dataDir, "roots") }

// RootFarmDir returns the farm that only this root has.
func RootFarmDir(dataDir, root string) string {
	return filepath.Join(RootFarms(dataDir), root, "shims")
}

// FarmIDs returns the identities by which the farms are passed over in a search
// for a real program, and taken out of the PATH that it gets: the user's farm,
// root's own (root may be empty), the farm that the running program was found
// in, and every other directory of pathVar that is marked as one. For each, the
// file that its shims are links to is in the list as well, so that a link to a
// shim in any other directory is known for what it is. self is the path of the
// running program; /proc/self/exe will do.
//
// Farms are told by identity, since one directory has many spellings: a link to
// it, a slash at the end, a moved home.
func FarmIDs(dataDir, self, root, pathVar string) []plan.ID {
	var ids []plan.ID
	add := func(dir string) {
		if id, ok := marked(dir); ok && !slices.Contains(ids, id[0]) {
			ids = append(ids, id[:]...)
		}
	}
	add(FarmDir(dataDir))
	if root != "" {
		add(RootFarmDir(dataDir, root))
	}
	if target, err := os.Readlink(self); err == nil {
		self = target
	}
	add(filepath.Dir(self))
	for _, dir := range filepath.SplitList(pathVar) {
		// The farms of other roots may be left on PATH. All are called shims;
		// looking for the mark in every directory would cost a call for each.
		if filepath.IsAbs(dir) && filepath.Base(dir) == "shims" {
			add(dir)
		}
	}
	return ids
}

// IsFarm reports whether dir is a directory of shims: one with the launcher's
// copy in it. Anyone can make such a directory, and gains that it is passed over.
func IsFarm(dir string) bool {
	_, ok := marked(dir)
	return ok
}

// marked returns the identities of a farm and of the copy in it.
func marked(dir string) (ids [2]plan.ID, ok bool) {
	var st unix.Stat_t
	if unix.Fstatat(unix.AT_FDCWD, filepath.Join(dir, copyName), &st, unix.AT_SYMLINK_NOFOLLOW) != nil ||
		st.Mode&unix.S_IFMT != unix.S_IFREG || st.Mode&0o111 == 0 {
		return ids, false
	}
	ids[1] = idOf(&st)
	ids[0], ok = identify(dir)
	return ids, ok
}

// farmOf is the identity of a farm that is open; it may have no mark yet.
func farmOf(d directory) []plan.ID {
	var st unix.Stat_t
	if unix.Fstat(d.fd, &st) != nil {
		return nil
	}
	return []plan.ID{idOf(&st)}
}

// isFarm reports whether dir is one of farms or is marked as one.
func isFarm(dir string, farms []plan.ID) bool {
	id, ok := identify(dir)
	return ok && (slices.Contains(farms, id) || IsFarm(dir))
}
