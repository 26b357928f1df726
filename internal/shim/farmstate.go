package shim

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A state is what a call of Install leaves for the next one. One that is lost or
// cannot be read costs a copy of the launcher and a search, and nothing else.
type state struct {
	launcher stamp // of the file that the farm's copy was made from
	copied   stamp // of the farm's copy
	extra    []string
	places   []place // PATH's, then those that an earlier PATH had
}

// A place is a directory in which programs with names that matter were seen.
type place struct {
	dir   string
	stamp stamp    // zero: read it again
	names []string // sorted
	idle  []string // of a root's: files that cannot be run as they are now; sorted
}

// A stamp tells one content of a file or directory from another without reading.
type stamp struct {
	dev, ino uint64
	size     int64
	mtime    int64 // nanoseconds
	mode     uint32
}

// changeStamp is stampFrom with the time of the last change, which no program can
// set: a jailed one may set the time of modification of what is its own.
func changeStamp(st *unix.Stat_t) stamp {
	s := stampFrom(st)
	s.mtime = st.Ctim.Nano()
	return s
}

// content is the part of a stamp that a faithful copy shares.
func (s stamp) content() stamp {
	s.dev, s.ino = 0, 0
	return s
}

func stampFrom(st *unix.Stat_t) stamp {
	return stamp{st.Dev, st.Ino, st.Size, st.Mtim.Nano(), st.Mode}
}

func (s stamp) text() string {
	return fmt.Sprintf("%d %d %d %d %d", s.dev, s.ino, s.size, s.mtime, s.mode)
}

// programStamp is the stamp of an open file that can be run.
func programStamp(fd int) (stamp, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return stamp{}, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Mode&0o111 == 0 {
		return stamp{}, errors.New("it is not a program")
	}
	return stampFrom(&st), nil
}

// keptPlaces bounds what is remembered: a machine with hundreds of virtual
// environments must not look at all of them whenever a shell starts.
const keptPlaces = 64

// maxFarmState is more than a farm of the most shims writes.
const maxFarmState = 4 << 20

const stateHeader = "jail farm 2"

// text is one line for each fact. Names and directories are quoted, since both
// may hold anything.
func (s state) text() string {
	lines := []string{stateHeader, s.launcher.text(), s.copied.text(), words(s.extra)}
	for _, p := range s.places {
		lines = append(lines, strconv.Quote(p.dir), p.stamp.text(), words(p.names), words(p.idle))
	}
	return strings.Join(lines, "\n") + "\n"
}

func words(list []string) string {
	quoted := make([]string, len(list))
	for i, word := range list {
		quoted[i] = strconv.Quote(word)
	}
	return strings.Join(quoted, " ")
}

// A stateReader takes text apart line by line and remembers the first failure.
type stateReader struct {
	lines []string
	bad   bool
}

func (r *stateReader) line() string {
	if len(r.lines) == 0 {
		r.bad = true
		return ""
	}
	line := r.lines[0]
	r.lines = r.lines[1:]
	return line
}

func (r *stateReader) stamp() (s stamp) {
	n, err := fmt.Sscanf(r.line(), "%d %d %d %d %d", &s.dev, &s.ino, &s.size, &s.mtime, &s.mode)
	r.bad = r.bad || err != nil || n != 5
	return s
}

func (r *stateReader) words() []string {
	var list []string
	for rest := r.line(); rest != ""; rest = strings.TrimPrefix(rest, " ") {
		prefix, err := strconv.QuotedPrefix(rest)
		word, _ := strconv.Unquote(prefix)
		if err != nil || word == "" {
			r.bad = true
			return nil
		}
		list, rest = append(list, word), rest[len(prefix):]
	}
	return list
}

// parseState reads what text writes; anything else is no state.
func parseState(text string) (s state, ok bool) {
	r := stateReader{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	r.bad = r.line() != stateHeader
	s.launcher, s.copied, s.extra = r.stamp(), r.stamp(), r.words()
	for len(r.lines) > 0 && !r.bad {
		dir := r.words()
		p := place{stamp: r.stamp(), names: r.words(), idle: r.words()}
		if len(dir) != 1 {
			return state{}, false
		}
		p.dir = dir[0]
		s.places = append(s.places, p)
	}
	return s, !r.bad
}

func (d directory) readState() state {
	f, err := d.open(stateName, unix.O_RDONLY, 0)
	if err != nil {
		return state{}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFarmState))
	if err != nil {
		return state{}
	}
	if s, ok := parseState(string(text)); ok {
		return s
	}
	return state{}
}

// writeState writes now, unless it says what old said.
func (d directory) writeState(old, now state) error {
	if text := now.text(); text != old.text() {
		return d.write(stateName, []byte(text), 0o600)
	}
	return nil
}

// at returns what s remembers of dir.
func (s state) at(dir string) (place, bool) {
	i := slices.IndexFunc(s.places, func(p place) bool { return p.dir == dir })
	if i < 0 {
		return place{dir: dir}, false
	}
	return s.places[i], true
}
