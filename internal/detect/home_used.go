package detect

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// UsedHome returns the home in which tools keep their settings and models: the one
// that $HOME names, if it is evidently a home of the caller's, else the one that
// passwd names.
//
// They differ in containers of CI, where passwd says /root and HOME is the one that
// everything uses. $HOME is a variable, and a project must not choose by it what is
// shown. So it counts only where nobody but the caller, outside of every jail, can
// have put anything: a directory of the caller's that no other may write, apart
// from the home that passwd names, where other projects lie, and in no project.
func UsedHome(passwd, env string, uid uint32, root string) string {
	if env == passwd || !filepath.IsAbs(env) {
		return passwd
	}
	env = filepath.Clean(env)
	real := physical(env)
	if passwd != "" && overlap(real, physical(passwd)) {
		return passwd
	}
	var st unix.Stat_t
	if unix.Lstat(real, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR || st.Uid != uid || st.Mode&0o022 != 0 {
		return passwd
	}
	if within(real, root) || inProject(real) {
		return passwd
	}
	return env
}

// inProject reports whether there is a marker in dir or above it.
func inProject(dir string) bool {
	for ; ; dir = parent(dir) {
		var st unix.Stat_t
		if unix.Lstat(join(dir, markerName), &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
			return true
		}
		if dir == "/" {
			return false
		}
	}
}
