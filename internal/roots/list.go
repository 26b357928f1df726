package roots

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A Kind says why a directory is a project. It is the first word of a line.
type Kind string

// The kinds of entry, and None for a directory that no entry is about.
const (
	None  Kind = ""
	Known Kind = "root"  // it was one when a command ran there
	Below Kind = "below" // it lies directly below the path of such an entry
)

const header = "jail roots 1 "

// maxSize bounds the file: some thousands of projects.
const maxSize = 256 << 10

// Path returns the file below jail's own directory.
func Path(data string) string { return filepath.Join(data, "known-roots") }

// A List is what the file says. The zero List says nothing.
type List struct{ text string }

// An Error says that the file cannot be believed.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("read the known roots in %q: %v", e.Path, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Advice is a command to paste: the list that nobody can read is put aside.
func (e *Error) Advice() string { return "mv " + plan.Word(e.Path) + " " + plan.Word(e.Path+".away") }

var (
	errNoFile  = errors.New("it is not a regular file")
	errSize    = errors.New("it is larger than 256 KiB")
	errForeign = errors.New("this version does not understand it")
)

// Read returns the list below data; one that does not exist says nothing. It runs
// at every call of every shim, so where there is no file it is one system call.
func Read(data string) (List, error) {
	if !filepath.IsAbs(data) {
		return List{}, nil
	}
	text, err := read(unix.AT_FDCWD, Path(data))
	if err == unix.ENOENT || err == unix.ENOTDIR || err == unix.EACCES && !own(Path(data)) {
		return List{}, nil
	}
	if err != nil {
		return List{}, &Error{Path(data), err}
	}
	return List{text}, nil
}

// own reports whether the caller has the file at path. In a user namespace root's
// home may be the one that passwd names, and be closed.
func own(path string) bool {
	var st unix.Stat_t
	return unix.Lstat(path, &st) == nil && st.Uid == uint32(unix.Geteuid())
}

func read(dir int, path string) (string, error) {
	fd, err := unix.Openat(dir, path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return "", err
	}
	switch {
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return "", errNoFile
	case st.Size > maxSize:
		return "", errSize
	}
	text := make([]byte, st.Size)
	n, err := unix.Read(fd, text)
	if err != nil {
		return "", err
	}
	// Written whole and renamed into place, so it is never seen half.
	if s := string(text[:n]); strings.HasPrefix(s, header) && strings.HasSuffix(s, "\n") {
		return s, nil
	}
	return "", errForeign
}

// Claim says whether dir, an absolute and clean path, is a project by this list,
// and by which kind of entry.
func (l List) Claim(dir string) Kind {
	if l.text == "" {
		return None
	}
	line := escape(dir)
	if l.has(Known, line) {
		return Known
	}
	if i := strings.LastIndexByte(line, '/'); i > 0 && l.has(Below, line[:i]) {
		return Below
	}
	return None
}

// Lists are those of all directories that may be jail's own. An entry in any of
// them counts.
type Lists []List

// ReadAll returns the list below each of dirs, in their order.
func ReadAll(dirs []string) (Lists, error) {
	lists := make(Lists, len(dirs))
	for i, dir := range dirs {
		l, err := Read(dir)
		if err != nil {
			return nil, err
		}
		lists[i] = l
	}
	return lists, nil
}

// Claim is List.Claim for all of them.
func (ls Lists) Claim(dir string) Kind {
	for _, l := range ls {
		if kind := l.Claim(dir); kind != None {
			return kind
		}
	}
	return None
}

// Why says in words what Claim says. It is detect.Claims.
func (ls Lists) Why(dir string) string {
	switch ls.Claim(dir) {
	case Known:
		return "it was a project before, and its .ai-jail is gone"
	case Below:
		return "directly below a jail_below of yours"
	}
	return ""
}

func (l List) has(kind Kind, escaped string) bool {
	return strings.Contains(l.text, "\n"+string(kind)+" "+escaped+"\n")
}

// All returns the paths of one kind, sorted.
func (l List) All(kind Kind) []string {
	var paths []string
	for line := range strings.Lines(l.text) {
		if path, ok := strings.CutPrefix(line, string(kind)+" "); ok && path[0] == '/' {
			paths = append(paths, unescape(strings.TrimSuffix(path, "\n")))
		}
	}
	slices.Sort(paths)
	return paths
}

// with returns the list in which the entries of kind are paths.
func (l List) with(kind Kind, paths []string) List {
	lines := []string{}
	for line := range strings.Lines(l.text) {
		if !strings.HasPrefix(line, header) && !strings.HasPrefix(line, string(kind)+" ") {
			lines = append(lines, line)
		}
	}
	for _, path := range paths {
		lines = append(lines, string(kind)+" "+escape(path)+"\n")
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	return List{fmt.Sprintf("%s%016x\n", header, rand.Uint64()) + strings.Join(lines, "")}
}

// serial is the number in the first line.
func (l List) serial() string {
	line, _, _ := strings.Cut(l.text, "\n")
	return strings.TrimPrefix(line, header)
}

// same reports whether two lists hold the same entries, whatever their numbers.
func (l List) same(m List) bool {
	_, a, _ := strings.Cut(l.text, "\n")
	_, b, _ := strings.Cut(m.text, "\n")
	return a == b
}

// escape writes a path as a part of one line; printf %b reads it.
func escape(path string) string {
	if !strings.ContainsAny(path, "\\\n") {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(path)
}

func unescape(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(text)
}

// gone reports whether nothing is at path any more.
func gone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}
