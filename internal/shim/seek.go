package shim

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A search looks for the programs that get a shim.
type search struct {
	extra []string // further names, already judged
	skip  []string
	old   state
	farms []plan.ID
	now   time.Time
}

// judged returns those of names that may be shimmed, and the others with a why.
func judged(names []string) (good []string, refused []Refusal) {
	for _, name := range names {
		if why, never := NeverShimmed(name); never {
			refused = append(refused, Refusal{name, why})
		} else {
			good = append(good, name)
		}
	}
	return good, refused
}

// places looks at the directories of path, and at those where programs were seen
// before. One that has not changed since is not read again.
func (s search) places(path string) []place {
	onPath := filepath.SplitList(path)
	dirs := slices.Clone(onPath)
	for _, p := range s.old.places {
		dirs = append(dirs, p.dir)
	}
	var found []place
	for i, dir := range dirs {
		// What a relative entry holds depends on where one stands.
		if !filepath.IsAbs(dir) || len(found) == keptPlaces {
			continue
		}
		dir = filepath.Clean(dir)
		known := func(p place) bool { return p.dir == dir }
		if slices.ContainsFunc(found, known) || isFarm(dir, s.farms) {
			continue
		}
		// One without such a program is kept only so that it is not read again.
		if p := s.place(dir); len(p.names) > 0 || i < len(onPath) && p.stamp != (stamp{}) {
			found = append(found, p)
		}
	}
	return found
}

// place says which names that matter are in dir, whether or not they can be run.
func (s search) place(dir string) place {
	var st unix.Stat_t
	if unix.Stat(dir, &st) != nil {
		return place{}
	}
	seen, ok := s.old.at(dir)
	if ok && seen.stamp == stampFrom(&st) && slices.Equal(s.extra, s.old.extra) {
		return seen
	}
	p := place{dir: dir, names: s.list(dir)}
	// A change in the same tick of the file system's clock would leave no trace.
	if s.now.Sub(time.Unix(st.Mtim.Unix())) > 2*time.Second {
		p.stamp = stampFrom(&st)
	}
	return p
}

// list returns the names that matter in dir, sorted.
func (s search) list(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return s.probe(dir)
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	names = slices.DeleteFunc(names, func(name string) bool {
		return !Known(name) && !slices.Contains(s.extra, name)
	})
	slices.Sort(names)
	return names
}

// probe is list for a directory that may be searched and not read: the shell
// finds programs there, so they are asked for one by one.
func (s search) probe(dir string) []string {
	names := append(Names(), s.extra...)
	names = slices.DeleteFunc(names, func(name string) bool { return !runs(filepath.Join(dir, name)) })
	slices.Sort(names)
	return slices.Compact(names)
}

// names returns the names in places that are programs now, sorted.
func (s search) names(places []place) []string {
	var names []string
	for _, p := range places {
		for _, name := range p.names {
			if !slices.Contains(names, name) && !slices.Contains(s.skip, name) && runs(filepath.Join(p.dir, name)) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// runs reports whether path is a program for the caller, as a shell would ask.
func runs(path string) bool {
	var st unix.Stat_t
	return unix.Stat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG &&
		unix.Faccessat(unix.AT_FDCWD, path, unix.X_OK, unix.AT_EACCESS) == nil
}
