package detect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// markerName is the directory that makes a project of the one that holds it.
const markerName = ".ai-jail"

// A sighting is one marker on the way from the working directory to /, or a
// directory that is a project without one.
type sighting struct {
	dir   string // the directory that holds it; physical
	as    string // how the caller reached dir, where that is another path
	id    plan.ID
	uid   uint32
	perm  uint32
	link  bool
	claim string // why dir is a project though there is no marker; the rest is about dir then
}

// sightings are the markers above a directory, nearest first. Those that only
// the logical path has above it are kept apart.
type sightings struct {
	physical, logical []sighting
	files             []string
}

// lookBothWays looks from the physical path and, if logical names the same
// directory, from there.
func lookBothWays(cwd, logical string, claims Claims) (sightings, error) {
	seen, err := look(cwd, claims)
	if err != nil {
		return seen, err
	}
	if as, ok := sameDirectory(cwd, logical); ok {
		other, err := look(as, claims.throughLinks())
		if err != nil {
			return seen, err
		}
		seen.merge(other)
	}
	return seen, nil
}

// look looks for markers in dir and in each directory above it.
//
// Where it may not look, there may be a marker: a jailed command can take away
// the right to search its own project, and must not have left the jail by that.
func look(dir string, claims Claims) (sightings, error) {
	var seen sightings
	var blocked error
	for {
		m, err := lookIn(dir)
		switch {
		case err != nil:
			blocked = cannotLook(dir, err) // the outermost is the one in the way
		case m.dir != "":
			seen.physical = append(seen.physical, m)
		default:
			if !m.id.IsZero() {
				seen.files = append(seen.files, join(dir, markerName))
			}
			if m, ok := claims.about(dir); ok {
				seen.physical = append(seen.physical, m)
			}
		}
		if dir == "/" {
			return seen, blocked
		}
		dir = parent(dir)
	}
}

// about reports dir as a project if c claims it.
func (c Claims) about(dir string) (sighting, bool) {
	if c == nil {
		return sighting{}, false
	}
	why := c(dir)
	if why == "" {
		return sighting{}, false
	}
	var st unix.Stat_t
	if unix.Stat(dir, &st) != nil {
		return sighting{}, false
	}
	return sighting{dir: dir, id: identity(&st), uid: st.Uid, claim: why}, true
}

// throughLinks claims a directory also by its physical path.
func (c Claims) throughLinks() Claims {
	if c == nil {
		return nil
	}
	return func(dir string) string {
		if why := c(dir); why != "" {
			return why
		}
		return c(physical(dir))
	}
}

// lookIn reports the marker in dir; a zero ID means that there is none, and no
// directory that it is a regular file.
//
// A link counts as what it leads to. One that leads to nothing, or to where we
// may not look, counts as a directory that was there once.
func lookIn(dir string) (sighting, error) {
	path := join(dir, markerName)
	var st unix.Stat_t
	if err := unix.Fstatat(unix.AT_FDCWD, path, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		if err == unix.ENOENT {
			return sighting{}, nil
		}
		return sighting{}, err
	}
	m := sighting{dir: dir, id: identity(&st), uid: st.Uid, perm: st.Mode & 0o7777}
	mode := st.Mode
	if plan.TypeOf(mode) == plan.Symlink {
		m.link, m.perm = true, 0
		mode = unix.S_IFDIR
		if unix.Fstatat(unix.AT_FDCWD, path, &st, 0) == nil {
			mode = st.Mode
		}
	}
	switch plan.TypeOf(mode) {
	case plan.Directory:
		return m, nil
	case plan.Regular:
		return sighting{id: m.id}, nil
	}
	return sighting{}, nil
}

func cannotLook(dir string, err error) error {
	return &RefusedError{
		Path:  dir,
		Cause: fmt.Sprintf("cannot look for %s in %q: %v", markerName, dir, err),
		Hint:  "cd /",
	}
}

// merge adds what the logical path has above it. The same marker seen from both
// says how the caller reached its directory.
func (s *sightings) merge(logical sightings) {
	for _, m := range logical.physical {
		i := slices.IndexFunc(s.physical, func(p sighting) bool { return p.id == m.id })
		if i < 0 {
			m.as, m.dir = m.dir, physical(m.dir)
			s.logical = append(s.logical, m)
		} else if s.physical[i].as == "" {
			s.physical[i].as = m.dir
		}
	}
	for _, file := range logical.files {
		if file = join(physical(parent(file)), markerName); !slices.Contains(s.files, file) {
			s.files = append(s.files, file)
		}
	}
}

// sameDirectory returns logical, clean, if it is another path of the directory
// physical. It reports false for everything that a variable may hold by
// mistake or by malice: a relative path, a directory left long ago, a name with
// dots in it (which is no logical path), or a way through /proc, which names
// whatever the reader happens to be.
func sameDirectory(physical, logical string) (string, bool) {
	if logical == physical || !filepath.IsAbs(logical) || len(logical) >= unix.PathMax {
		return "", false
	}
	for name := range strings.SplitSeq(logical, "/") {
		if name == "." || name == ".." {
			return "", false
		}
	}
	logical = filepath.Clean(logical)
	if logical == physical || withinAny(logical, []string{"/proc", "/sys", "/dev"}) {
		return "", false
	}
	var a, b unix.Stat_t
	if unix.Stat(physical, &a) != nil || unix.Stat(logical, &b) != nil || identity(&a) != identity(&b) {
		return "", false
	}
	return logical, true
}

// lookAboveDeleted looks for a marker above a working directory that has no path
// any more, by way of "..", which Linux still follows. A jail cannot start in
// such a directory, so a marker is a refusal; without one there is no project.
func lookAboveDeleted() error {
	var top, st unix.Stat_t
	if err := unix.Stat("/", &top); err != nil {
		return fmt.Errorf("stat /: %w", err)
	}
	for dir, levels := ".", 0; levels < unix.PathMax/2; dir, levels = dir+"/..", levels+1 {
		m, err := lookIn(dir)
		if err != nil || m.dir != "" {
			return deleted()
		}
		if err := unix.Stat(dir, &st); err != nil {
			return deleted()
		}
		if identity(&st) == identity(&top) {
			return nil
		}
	}
	return deleted()
}

func deleted() *RefusedError {
	return &RefusedError{
		Path:  ".",
		Cause: "the working directory has been deleted",
		Hint:  `cd "$PWD"`,
	}
}
