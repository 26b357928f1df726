package detect

import (
	"fmt"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A RefusedError says that a directory cannot be the root of a jail, or that it
// cannot be known whether there is a project. It never means "no project".
type RefusedError struct {
	Path  string
	Cause string // one line, lower case, with the path in it
	Hint  string // a command to paste
}

func (e *RefusedError) Error() string { return e.Cause }

// Advice is a command to paste.
func (e *RefusedError) Advice() string { return e.Hint }

// A refusal is the reason why a directory cannot be a root, before it is known
// how it came to be asked.
type refusal struct {
	dir   string
	cause string // completes "..., which cannot be a project: "
	hint  string // what takes the cause away, where something does
}

// refuse says why dir cannot be a root, if so. Inside, the root is writable and
// what lies in it is in reach, so nothing may be a root that holds the home, or
// what is shown read-only to everybody; and where everybody may write, everybody
// can put a marker, or another directory in the project's place.
//
// Everybody is meant as in "others" of chmod(1). A group is not refused: with
// the usual umask of 002 each file of a user's is writable by a group that is
// only his, and a team that shares a directory shares what is in it anyway.
func (s search) refuse(dir string) (unix.Stat_t, *refusal) {
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil {
		return st, &refusal{dir: dir, cause: "cannot look at it: " + err.Error()}
	}
	switch dir {
	case "/":
		return st, &refusal{dir: dir, cause: "everything on this machine lies below it"}
	case "/bin", "/boot", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/sbin", "/snap", "/usr":
		return st, &refusal{dir: dir, cause: "it belongs to the system"}
	}
	if withinAny(dir, []string{"/proc", "/sys", "/dev"}) {
		return st, &refusal{dir: dir, cause: "it belongs to the system"}
	}
	if r := s.refuseHome(dir, &st); r != nil {
		return st, r
	}
	if st.Mode&0o002 != 0 {
		return st, &refusal{dir: dir, cause: "everybody may write to it", hint: s.closeToOthers(dir, &st)}
	}
	return st, nil
}

// refuseHome compares by path, and by identity because a home may be mounted in
// two places.
func (s search) refuseHome(dir string, st *unix.Stat_t) *refusal {
	for _, home := range s.homes {
		is, above := dir == home, within(home, dir)
		for up := home; !above && up != "/"; up = parent(up) {
			var other unix.Stat_t
			if unix.Stat(up, &other) == nil && identity(&other) == identity(st) {
				is, above = up == home, true
			}
		}
		if above {
			return s.homeRefusal(dir, home, is)
		}
	}
	return nil
}

// homeRefusal says whose word makes home a home. If it is only $HOME's, the way
// out is to correct that, and not to give the marker up.
func (s search) homeRefusal(dir, home string, is bool) *refusal {
	own := home == s.homes[0] || home == physical(s.homes[0])
	r := &refusal{dir: dir, cause: "it is your home directory"}
	switch {
	case own && !is:
		r.cause = fmt.Sprintf("your home directory %q lies below it", home)
	case !own && is:
		r.cause = "it is what $HOME names"
	case !own:
		r.cause = fmt.Sprintf("%q, which $HOME names, lies below it", home)
	}
	if !own {
		r.hint = "export HOME=" + plan.Word(s.homes[0])
	}
	return r
}

// closeToOthers is the command that takes the right to write from others. On a
// file system that makes its permissions up, as WSL does for Windows drives,
// chmod does nothing and the mount options decide. A sticky directory is meant
// for everybody.
func (s search) closeToOthers(dir string, st *unix.Stat_t) string {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) == nil && fs.Type == unix.V9FS_MAGIC {
		return `printf '[automount]\noptions = "metadata,umask=22"\n' | sudo tee -a /etc/wsl.conf`
	}
	if st.Mode&unix.S_ISVTX != 0 || (st.Uid != s.uid && s.uid != 0) {
		return ""
	}
	return "chmod o-w " + plan.Word(dir)
}

// byHand is the error for a directory that was to be the root without a marker.
func (r *refusal) byHand(s search) error {
	hint := r.hint
	if hint == "" {
		work := join(r.workDir(s), "work")
		hint = fmt.Sprintf("mkdir -p %[1]s && cd %[1]s", plan.Word(work))
	}
	return &RefusedError{
		Path:  r.dir,
		Cause: fmt.Sprintf("%q cannot be a project: %s", r.dir, r.cause),
		Hint:  hint,
	}
}

// workDir is where a directory to work in can be made: where the caller stands,
// if it is a place for that, else the home.
func (r *refusal) workDir(s search) string {
	if len(s.homes) == 0 || withinAny(r.dir, s.homes[:1]) || unix.Access(r.dir, unix.W_OK) == nil && r.dir != "/" {
		return r.dir
	}
	return s.homes[0]
}

// marker is the error for a directory that m was to make a project of. Who may
// take the marker away is told how; others can make a project further down.
func (r *refusal) marker(s search, m sighting, cwd string) error {
	path := join(r.dir, markerName)
	hint := r.hint
	switch {
	case m.claim != "":
		if hint == "" {
			hint = "jail-hook forget " + plan.Word(r.dir)
		}
		return &RefusedError{
			Path:  r.dir,
			Cause: fmt.Sprintf("%q is a project (%s) and cannot be one: %s", r.dir, m.claim, r.cause),
			Hint:  hint,
		}
	case hint != "":
	case m.uid == s.uid || s.uid == 0:
		hint = "mv " + plan.Word(path) + " " + plan.Word(join(r.dir, "ai-jail.off"))
	case cwd != r.dir:
		hint = "mkdir " + plan.Word(join(cwd, markerName))
	default:
		hint = "cd " + plan.Word(r.workDir(s))
	}
	return &RefusedError{
		Path:  r.dir,
		Cause: fmt.Sprintf("%q is in %q, which cannot be a project: %s", markerName, r.dir, r.cause),
		Hint:  hint,
	}
}
