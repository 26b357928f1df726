package later

import (
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/mask"
)

// A search bounds what is looked at in the whole project: atLeast directories, and then
// as many as a share of the command's own time allows. What lies highest comes first,
// and what was there before it: that is where somebody goes next.
const (
	atLeast = 500
	share   = 50
)

// A searcher looks for repositories and settings in the directories where nobody stands.
type searcher struct {
	*tree
	was     mask.Tree
	levels  []string // that were looked at already
	begun   time.Time
	allowed time.Duration
	looked  int
	fresh   []string // directories that were not there before, the highest first
}

// search looks at what has changed in the directories of the project, and at the
// repositories that were in them.
func (t *tree) search(levels []string) {
	now := time.Now()
	s := searcher{tree: t, was: t.run.tree, levels: levels, begun: now, allowed: now.Sub(t.run.start) / share}
	for _, dir := range s.was.Repositories {
		if dir = filepath.Clean(dir); s.more() && !s.isLevel(dir) {
			name := filepath.Join(dir, ".git")
			if !t.holdIf(name, t.repository(name, false)) {
				t.leadsTo(dir, name)
			}
		}
	}
	for _, path := range s.was.Settings {
		if s.more() {
			s.setting(path)
		}
	}
	for _, dir := range s.was.Dirs {
		if !s.more() {
			return
		}
		dir = filepath.Clean(dir)
		var st unix.Stat_t
		// The path may lead anywhere by now. It only tells where to look.
		if unix.Lstat(filepath.Join(t.base, dir), &st) == nil && t.changed(st.Ctim.Unix()) {
			s.changedDir(dir)
		}
	}
	for i := 0; i < len(s.fresh) && s.more(); i++ {
		t.git(s.fresh[i])
		s.subdirectories(s.fresh[i])
	}
}

func (s *searcher) more() bool {
	s.looked++
	return s.looked <= atLeast || time.Since(s.begun) < s.allowed
}

func (s *searcher) isLevel(dir string) bool {
	return slices.Contains(s.levels, dir)
}

// changedDir looks at a directory that was there, in which a name is new or gone.
func (s *searcher) changedDir(dir string) {
	if !s.isLevel(dir) && !slices.Contains(s.was.Repositories, dir) {
		s.git(dir)
	}
	s.names(dir)
	s.subdirectories(dir)
}

// subdirectories adds those of dir that were not there before. Those that a search for
// secrets leaves out, nobody works in.
func (s *searcher) subdirectories(dir string) {
	names, _ := s.list(dir)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if !mask.Unsearched(name) && isDir(s.look(path)) && !s.known(path) && !s.heldNow(path) {
			s.fresh = append(s.fresh, path)
		}
	}
}

func (s *searcher) known(path string) bool {
	_, found := slices.BinarySearchFunc(s.was.Dirs, path, mask.CompareDepth)
	return found
}

// heldNow reports whether path is what something was renamed to just now.
func (s *searcher) heldNow(path string) bool {
	now := filepath.Join(s.base, path)
	return slices.ContainsFunc(s.result.Held, func(h Held) bool { return h.Now == now })
}
