package shim

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A rootSearch looks for the programs that get a shim in a root's own farm.
type rootSearch struct {
	RootRequest
	old state
	now time.Time
}

// most is how many shims a root's own farm may have. A directory of a million files
// must not become a million links in the home.
const most = 8192

// places looks at the directories of PATH that lie in the root, and at those that
// once did. An error says which could not be looked at; of it is known what was there.
func (s rootSearch) places() ([]place, error) {
	dirs := s.dirs()
	for _, p := range s.old.places {
		if s.contains(p.dir) {
			dirs = append(dirs, p.dir)
		}
	}
	var found []place
	var failed error
	for _, dir := range dirs {
		if len(found) == keptPlaces || slices.ContainsFunc(found, func(p place) bool { return p.dir == dir }) {
			continue
		}
		p, ok, err := s.place(dir)
		if ok {
			found = append(found, p)
		}
		failed = cmp.Or(failed, err)
	}
	return found, failed
}

// dirs returns the directories of PATH that lie in the root. An empty entry is the
// working directory to a shell. A relative one is another directory wherever the
// caller goes; those below the root and the working directory are the ones that a
// prompt is likeliest to look into.
func (s rootSearch) dirs() []string {
	var dirs []string
	for entry := range strings.SplitSeq(s.Path, ":") {
		if filepath.IsAbs(entry) {
			if dir := filepath.Clean(entry); s.contains(dir) {
				dirs = append(dirs, dir)
			}
			continue
		}
		dirs = append(dirs, filepath.Join(s.Root, entry))
		if within(s.Cwd, s.Root) && s.Cwd != s.Root {
			dirs = append(dirs, filepath.Join(s.Cwd, entry))
		}
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return !s.contains(dir) })
}

// contains reports whether dir lies in the root, by its name or by what it leads
// to. By its name alone is enough: where a link in the project leads out of it, the
// project has made the link.
func (s rootSearch) contains(dir string) bool {
	if within(dir, s.Root) || s.As != "" && within(dir, s.As) {
		return true
	}
	for _, system := range [...]string{"/usr", "/bin", "/sbin", "/opt", "/nix", "/snap"} {
		if within(dir, system) {
			return within(s.Root, system) && within(leadsTo(dir), s.Root)
		}
	}
	return within(leadsTo(dir), s.Root)
}

// leadsTo returns the path of a directory without links, in three calls and not in
// one for each name in it. It returns dir where that is no directory.
func leadsTo(dir string) string {
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return dir
	}
	defer unix.Close(fd)
	text := make([]byte, unix.PathMax)
	n, err := unix.Readlink("/proc/self/fd/"+strconv.Itoa(fd), text)
	if err != nil || n == len(text) {
		return canonical(dir)
	}
	return string(text[:n])
}

// place says which programs dir holds. It is read again when it has changed since,
// and when a file in it that was no program may have become one, of which a
// directory shows nothing.
// One that looks like a farm is one of the project's all the same: no farm of ours lies
// in a project.
func (s rootSearch) place(dir string) (p place, ok bool, err error) {
	var st unix.Stat_t
	if unix.Stat(dir, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR {
		return place{}, false, nil
	}
	seen, ok := s.old.at(dir)
	if ok && seen.stamp == changeStamp(&st) && !slices.ContainsFunc(seen.idle, s.runsIn(dir)) {
		return seen, true, nil
	}
	p = place{dir: dir}
	entries, err := s.list(dir)
	if err != nil {
		p.names = seen.names
		return p, true, fmt.Errorf("list %q: %w", dir, err)
	}
	for _, entry := range entries {
		switch name := entry.Name(); {
		case name[0] == '.' || entry.IsDir():
		case runs(filepath.Join(dir, name)):
			p.names = append(p.names, name)
		default:
			p.idle = append(p.idle, name)
		}
	}
	// A change in the same tick of the file system's clock would leave no trace.
	if s.now.Sub(time.Unix(st.Ctim.Unix())) > 2*time.Second {
		p.stamp = changeStamp(&st)
	}
	if len(p.idle) > most { // more than is worth remembering
		p.stamp, p.idle = stamp{}, nil
	}
	return p, true, nil
}

// list reads a directory, also one that a command has closed to its owner: programs in
// it are found by their names. What a link leads to outside no command has closed.
func (s rootSearch) list(dir string) ([]os.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if !errors.Is(err, fs.ErrPermission) {
		return entries, err
	}
	fd, openErr := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if openErr != nil {
		return nil, err
	}
	defer unix.Close(fd)
	self := "/proc/self/fd/" + strconv.Itoa(fd)
	var st unix.Stat_t
	if at, err := os.Readlink(self); err != nil || !within(at, s.Root) || unix.Fstat(fd, &st) != nil {
		return nil, fs.ErrPermission
	}
	if err := unix.Chmod(self, st.Mode&0o7777|0o700); err != nil {
		return nil, err
	}
	return os.ReadDir(self)
}

func (s rootSearch) runsIn(dir string) func(string) bool {
	return func(name string) bool { return runs(filepath.Join(dir, name)) }
}

// names returns what the farm is to hold, sorted. Where that is too much, names come
// first that have a shim already, and those that the host has too: these are what
// somebody calls without knowing that the project has them. An error says that there
// are others.
func (s rootSearch) names(now state) ([]string, error) {
	names := slices.Clone(now.extra)
	for _, p := range now.places {
		names = append(names, p.names...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) <= most {
		return names, nil
	}
	had := Shims(RootFarmDir(s.DataDir, s.Root))
	rank := make(map[string]int, len(names))
	for _, name := range names {
		if _, found := slices.BinarySearch(had, name); !found && !Known(name) && !slices.Contains(now.extra, name) && !s.elsewhere(name) {
			rank[name] = 1
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank[a] - rank[b] })
	without := names[most]
	names = names[:most]
	slices.Sort(names)
	return names, fmt.Errorf("there are more than %d, and %q is none of those with a shim", most, without)
}

// elsewhere reports whether PATH leads to a program of that name outside the root.
func (s rootSearch) elsewhere(name string) bool {
	for entry := range strings.SplitSeq(s.Path, ":") {
		if filepath.IsAbs(entry) && !s.contains(filepath.Clean(entry)) && runs(filepath.Join(entry, name)) {
			return true
		}
	}
	return false
}

// settled reports whether nothing has changed, and nothing can have without a
// trace.
func (s rootSearch) settled(now state) bool {
	return now.text() == s.old.text() && !slices.ContainsFunc(now.places, func(p place) bool { return p.stamp == (stamp{}) })
}
