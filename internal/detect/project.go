package detect

import (
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A Project is a directory that a command may work in.
type Project struct {
	Root    plan.Root
	Markers []Marker // outermost first; the last one is the root's own if Root.Marker
	Away    bool     // the working directory lies outside of Root.Path: a link in the project leads out to it
	Files   []string // regular files named .ai-jail on the way up: another tool's, no markers
}

// A Marker is one .ai-jail directory at or above the working directory.
type Marker struct {
	Dir    string // the directory that holds .ai-jail; physical
	Usable bool   // its files count; otherwise Why says why not
	Why    string
}

// Claims says why a directory, whose path is absolute and clean, is a project
// though no marker lies in it. It returns "" for one that is none.
type Claims func(dir string) string

// FindProject looks for the project of the working directory. It reports false
// if there is none. claims may be nil.
//
// physical is what getcwd(2) says, or empty if it says nothing (the directory
// has been deleted). logical is what $PWD says; it may be anything, and counts
// only if it names the same directory. A marker that either of them has above it
// is enough: a link may lead into the project or out of it.
//
// The nearest marker decides. If it stands where no project may be (/, a home,
// above a home, where everybody may write), the answer is a *RefusedError and
// not the next marker further up, let alone "no project": whoever can put a
// marker into /tmp must not be able to un-jail what others run below it, and who
// made a marker expects a jail. What claims names is as good as a marker. Hence the walk does not stop at the home either,
// it goes on to / and refuses what it finds there. None of these is ever a root,
// and their files do not count for a project further down.
//
// This runs at every call of every shim. Outside of projects it costs one
// fstatat for each level and view, and two more if $PWD is not the physical
// path. It opens nothing; claims knows by heart.
func FindProject(physical, logical string, homes []string, claims Claims) (Project, bool, error) {
	if !filepath.IsAbs(physical) {
		return Project{}, false, lookAboveDeleted()
	}
	seen, err := lookBothWays(physical, logical, claims)
	if err != nil || len(seen.physical)+len(seen.logical) == 0 {
		return Project{Files: seen.files}, false, err
	}
	return newSearch(homes).choose(seen, physical)
}

// A search has what both ways to a root need to know about the caller.
type search struct {
	homes []string
	uid   uint32
}

func newSearch(homes []string) search {
	return search{homes: homes, uid: uint32(unix.Geteuid())}
}

// ByHand makes the working directory itself the root, for a command that was
// given to jail outright. It refuses the same directories as FindProject.
func ByHand(physical, logical string, homes []string) (plan.Root, error) {
	s := newSearch(homes)
	if !filepath.IsAbs(physical) {
		return plan.Root{}, deleted()
	}
	st, refusal := s.refuse(physical)
	if refusal != nil {
		return plan.Root{}, refusal.byHand(s)
	}
	root := plan.Root{Path: physical, As: physical, ID: identity(&st), Why: "the working directory, asked for by hand"}
	if as, ok := sameDirectory(physical, logical); ok {
		root.As = as
	}
	return root, nil
}

// ProjectAt makes dir, which is physical, the root because the caller says so. It
// refuses what ByHand refuses. Of the markers from dir upwards all files count: to
// name a directory further in is no way past what stands further out.
func ProjectAt(dir, logical string, homes []string) (Project, error) {
	root, err := ByHand(dir, logical, homes)
	if err != nil {
		return Project{}, err
	}
	seen, err := lookBothWays(dir, logical, func(string) string { return "" })
	if err != nil {
		return Project{}, err
	}
	root.Why = "named by --project"
	root.Marker = len(seen.physical) > 0 && seen.physical[0].dir == dir
	s := newSearch(homes)
	return Project{
		Root: root, Files: seen.files,
		Markers: append(s.markers(seen.logical), s.markers(seen.physical)...),
	}, nil
}

// choose makes a project of what both views have seen. What the physical path
// has above it comes first, because it really contains the working directory.
func (s search) choose(seen sightings, cwd string) (Project, bool, error) {
	project := Project{Files: seen.files}
	var refused error
	for _, way := range [][][]sighting{{seen.physical, seen.logical}, {seen.logical, seen.physical}} {
		near, far := way[0], way[1]
		if len(near) == 0 {
			continue
		}
		st, refusal := s.refuse(near[0].dir)
		if refusal != nil {
			if refused == nil {
				refused = refusal.marker(s, near[0], cwd)
			}
			continue
		}
		project.Root = near[0].root(&st)
		project.Away = !within(cwd, project.Root.Path)
		project.Markers = append(s.markers(far), s.markers(near[1:])...)
		if near[0].claim == "" {
			project.Markers = append(project.Markers, s.judge(near[0], &st, nil))
		}
		return project, true, nil
	}
	return project, false, refused
}

// root makes a root of the directory that holds m.
func (m sighting) root(st *unix.Stat_t) plan.Root {
	as := m.as
	if as == "" {
		as = m.dir
	}
	root := plan.Root{Path: m.dir, As: as, ID: identity(st), Marker: m.claim == "", Why: m.claim}
	if root.Marker {
		root.Why = "the nearest .ai-jail"
	}
	return root
}

// markers says of each marker, outermost first, whether its files count. What is
// only claimed has none.
func (s search) markers(seen []sighting) []Marker {
	markers := make([]Marker, 0, len(seen)+1)
	for _, m := range slices.Backward(seen) {
		if m.claim != "" {
			continue
		}
		st, refusal := s.refuse(m.dir)
		markers = append(markers, s.judge(m, &st, refusal))
	}
	return markers
}

// judge says whether the files of a marker count. A marker that is a link may
// lead to files that anybody wrote; and one of a stranger's, or that a stranger
// may write, is a stranger's wish.
func (s search) judge(m sighting, st *unix.Stat_t, refusal *refusal) Marker {
	why := ""
	switch {
	case m.link:
		why = "it is a link"
	case m.perm&0o002 != 0:
		why = "everybody may write to it"
	case refusal != nil:
		why = refusal.cause
	case m.uid != s.uid && m.uid != 0 && m.uid != st.Uid:
		why = "it belongs to another user"
	}
	return Marker{Dir: m.dir, Usable: why == "", Why: why}
}

func identity(st *unix.Stat_t) plan.ID { return plan.ID{Dev: st.Dev, Ino: st.Ino} }
