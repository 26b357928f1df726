package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// A Copy is what is shown of a file of settings.
type Copy struct {
	Data []byte // to show at the tool's path; empty if nothing harmless was in the file

	// Left names the keys that were left out, sorted. A part of a key that might be
	// a secret is "*", and a line without a key is "line 3". A key that is followed
	// by "(user info)" or "(part of its address)" stayed without that.
	Left []string

	Files        []File   // further copies, to show at their own paths
	Certificates []string // files that the settings in a home name, as they name them, to show if they are public
}

// A File is a copy of a file that the settings of git name.
type File struct {
	Path string // "~/.gitconfig-work"
	Data []byte
}

// An Inside says what of the jail a copy depends on. The zero value is the
// strictest.
type Inside struct {
	// Home is the home's path, which must be absolute and clean. Without it only
	// paths that begin with ~/ are known to lie in the home.
	Home string
	// Read returns a file of the home by its path below it, such as
	// ".gitconfig-work". It must not follow a link out of the home. Nil: nothing is
	// included. An error that is fs.ErrNotExist is no loss, as it is none to git.
	Read func(path string) ([]byte, error)
	// Passes reports whether a variable is set inside. A credential that is only a
	// reference to such a variable stays. Nil: none is.
	Passes func(variable string) bool
}

// maxFile bounds what is parsed at a launch. Settings are a few kilobytes.
const maxFile = 128 << 10

// Strip returns what may be shown of a file's content. A file that cannot be
// parsed gives an error that quotes nothing of it, and must not be shown at all.
// The same input gives the same bytes, and the copy of a copy is itself.
func Strip(t Tool, content []byte, in Inside) (Copy, error) {
	text, err := plainText(content)
	if err != nil {
		return Copy{}, fmt.Errorf("read settings of %s: %w", t.Name, err)
	}
	s := &stripper{tool: t, inside: in}
	if t.expands() {
		s.passes, s.dollar = in.Passes, t.dollar()
	}
	data, err := s.strip(text)
	if err != nil {
		return Copy{}, fmt.Errorf("read settings of %s: %w", t.Name, err)
	}
	if t.Project {
		s.certificates = nil // a project must not choose what is shown
	}
	return Copy{Data: data, Left: sorted(s.left), Files: s.files, Certificates: sorted(s.certificates)}, nil
}

// A stripper makes one copy.
type stripper struct {
	judge
	tool   Tool
	inside Inside
	left   []string
	files  []File
	reads  int // files asked of the reader
}

func (s *stripper) strip(text string) ([]byte, error) {
	switch s.tool.Format {
	case Npmrc:
		return s.npmrc(text), nil
	case Yarnrc:
		return s.yarnrc(text)
	case INI:
		return s.ini(text)
	case Env:
		return s.goEnv(text), nil
	case Git:
		return s.git(text)
	case Ignore:
		return s.patterns(text), nil
	case TOML, YAML:
		n, err := parseTree(s.tool.Format, text)
		if err != nil {
			return nil, err
		}
		n, _ = s.tree(n, nil)
		if s.tool.Format == TOML {
			return writeTOML(n), nil
		}
		return writeYAML(n), nil
	}
	return nil, errors.New("unknown format")
}

// value judges the value of a key and notes what is left out of it. name is the
// key's for people.
func (s *stripper) value(r *row, name, value string) (string, bool) {
	if r == nil || r.scope == inProject && !s.tool.Project {
		s.leave(name)
		return "", false
	}
	out, lost, ok := s.judge.value(r.kind, value)
	switch {
	case !ok:
		s.leave(name)
	case lost != "":
		s.leave(name + " (" + lost + ")")
	}
	return out, ok
}

func (s *stripper) leave(name string) { s.left = append(s.left, name) }

// plainText returns content as text without a byte order mark. What is no text is
// no settings.
func plainText(content []byte) (string, error) {
	switch {
	case len(content) > maxFile:
		return "", errors.New("larger than 128 KiB")
	case bytes.IndexByte(content, 0) >= 0 || !utf8.Valid(content):
		return "", errors.New("not text in UTF-8")
	}
	return string(bytes.TrimPrefix(content, []byte("\ufeff"))), nil
}

func sorted(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// badLine says which line cannot be parsed, and nothing of what it holds.
func badLine(number int, cause string) error {
	return fmt.Errorf("line %d: %s", number, cause)
}
