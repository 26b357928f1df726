package mask

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// Git stores what it reads. A file that reads as empty must not be committed so, and
// what lies in a directory that reads as empty must not be taken for deleted. So
// what git tracks is hidden in ways that leave it unchanged for git:
//
//   - a file is masked by blank lines of its own size, and a filter gives git what
//     its index has
//   - a directory is denied: git leaves alone what it may not look into
//   - a link stays, since its text is in the history; what it leads to is hidden by
//     itself

// An index is a file in which git keeps what it tracks, and its size when it was
// asked; less than 0 if there was none.
type index struct {
	path string
	size int64
}

func indexAt(path string) index {
	var st stat
	if statAt(unix.AT_FDCWD, path, &st) != nil {
		return index{path, -1}
	}
	return index{path, st.size}
}

// track asks the indexes of git about what is hidden, where that is news, one has
// grown or shrunk, or a week has passed: an index can be large.
func (s *search) track() {
	s.indexes = s.top.ledger.index
	if len(s.walk.hidden.hits) == 0 || !s.found.fresh && !slices.ContainsFunc(s.indexes, index.changed) {
		return
	}
	byRepo := map[string][]plan.Hit{s.Root: nil}
	repos := map[string]string{}
	for i := range s.walk.hidden.hits {
		h := &s.walk.hidden.hits[i].Hit
		if dir := s.repo(path.Dir(h.Path), repos); dir != "" {
			byRepo[dir] = append(byRepo[dir], *h)
		}
	}
	s.indexes = slices.DeleteFunc(slices.Clone(s.indexes), index.changed)
	tracked := map[string]bool{}
	for _, dir := range slices.Sorted(maps.Keys(byRepo)) {
		x := indexAt(indexOf(dir))
		if !slices.Contains(s.indexes, x) {
			s.indexes = append(s.indexes, x)
		}
		list, err := Tracked(x.path, dir, byRepo[dir])
		if err != nil {
			continue // git cannot read it either
		}
		for _, h := range list {
			tracked[h.Path] = true
		}
	}
	for i := range s.found.next {
		k := &s.found.next[i]
		if at := s.found.topAbs(k.path); plan.Below(at, s.Root) {
			k.tracked = tracked[at]
		}
	}
}

func (x index) changed() bool { return indexAt(x.path) != x }

// repo returns the nearest directory at or above dir, in the project, that has a
// .git, or nothing. What was found out is kept in repos.
func (s *search) repo(dir string, repos map[string]string) string {
	if found, known := repos[dir]; known {
		return found
	}
	var st stat
	found := ""
	if statBelow(s.fd, strings.TrimPrefix(relative(dir, s.Root)+"/.git", "/"), &st) == nil {
		found = dir
	} else if dir != s.Root {
		found = s.repo(path.Dir(dir), repos)
	}
	repos[dir] = found
	return found
}

// indexOf returns the path of the index of a work tree. In a linked one, .git is a
// file that says where the rest is.
func indexOf(dir string) string {
	const most = 4096
	usual := path.Join(dir, ".git/index")
	f, err := openat(unix.AT_FDCWD, path.Join(dir, ".git"), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC)
	if err != nil {
		return usual
	}
	defer unix.Close(f)
	var st stat
	if statOf(f, &st) != nil || st.typ != plan.Regular {
		return usual
	}
	text, _ := readAll(file(f), st.size, most)
	place, linked := bytes.CutPrefix(text, []byte("gitdir: "))
	if !linked {
		return usual
	}
	to := string(bytes.TrimRight(place, "\n"))
	if !path.IsAbs(to) {
		to = path.Join(dir, to)
	}
	return path.Join(to, "index")
}

// tracked returns the paths of what git tracks.
func (a *account) tracked() map[string]bool {
	var tracked map[string]bool
	for i := range a.next {
		if k := &a.next[i]; k.tracked {
			if tracked == nil {
				tracked = map[string]bool{}
			}
			tracked[a.topAbs(k.path)] = true
		}
	}
	return tracked
}

// forGit changes how the hits that git tracks are hidden.
func forGit(hits []plan.Hit, tracked map[string]bool) []plan.Hit {
	out := hits[:0]
	for _, h := range hits {
		h.Tracked = tracked[h.Path]
		switch {
		case !h.Tracked || h.Action != plan.ActMask:
		case h.Type == plan.Symlink:
			continue
		case h.Type == plan.Directory:
			h.Action = plan.ActDeny
			h.Reason.Text = "if it were empty, git would take what it tracks there for deleted"
		}
		out = append(out, h)
	}
	return out
}

// Attributes are gitattributes(5) that pass the files that read as empty through
// GitFilter. They go by name, in whichever repository of the project: the filter
// itself tells what is hidden from what is not.
func Attributes(hits []plan.Hit) []byte {
	var names []string
	for _, h := range hits {
		if h.Action == plan.ActMask && h.Type == plan.Regular {
			names = append(names, path.Base(h.Path))
		}
	}
	slices.Sort(names)
	var b []byte
	for _, name := range slices.Compact(names) {
		b = append(b, gitPattern(name)...)
		b = append(b, " filter="+GitFilter+"\n"...)
	}
	return b
}

// GitFilter is the name of the filter that keeps git from storing an emptied file.
const GitFilter = "jail-hidden"

// GitClean is what it does to a file that git is about to store. One that is hidden
// is not writable and has no line with anything in it; the index counts instead.
// Where the index has none, git adds nothing.
const GitClean = "if [ -w ./%f ] || grep -q . ./%f; then cat; else git cat-file blob :0:%f; fi"

// gitPattern writes a name as a pattern that matches it and nothing else.
func gitPattern(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		c := name[i]
		if strings.IndexByte(`*?[\`, c) >= 0 || c == '!' && i == 0 {
			b.WriteString(`\\`)
		}
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			octal := strconv.FormatUint(uint64(c), 8)
			b.WriteString(`\` + "000"[len(octal):] + octal)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
