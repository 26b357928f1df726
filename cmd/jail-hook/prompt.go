package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"jail/internal/shim"
)

// promptFormat is what prompt prints where nobody says otherwise.
const promptFormat = "{state}:{name}{mark}"

// prompt prints a few letters for a prompt, and nothing outside of projects. It
// looks and does nothing else, and is always a success: what a prompt shows must
// not change what a shell thinks of the last command.
func (u *user) prompt(c *cli.Context) error {
	if _, err := words(c, 0, 0); err != nil {
		return err
	}
	p, err := parsePrompt(c.String("format"))
	if err != nil {
		return err
	}
	if now, ok := u.promptNow(); ok {
		fmt.Fprint(u.stdout, p.text(now))
	}
	return nil
}

// A promptState is what there is to say.
type promptState struct{ state, name, root, mark string }

// promptNow is the state here; false outside of projects.
func (u *user) promptNow() (promptState, bool) {
	project, found, err := u.project()
	root := project.Root.Path
	s := promptState{state: "jail"}
	switch {
	case shim.InsideJail():
		s.state = "jailed"
		if !found {
			root = u.physical
		}
	case err != nil: // a marker where no project may be: every command is refused
		s.mark, root = "?", u.physical
	case !found:
		return s, false
	case !u.covered():
		s.mark = "!"
	}
	s.root, s.name = harmless(root), harmless(filepath.Base(root))
	return s, true
}

// covered reports whether the first directory on PATH is a farm. The hook puts a
// root's own farm there before it exists.
func (u *user) covered() bool {
	own, users := u.leading()
	return own || users
}

// leading reports which farms PATH begins with: those of roots, which stay as long as a
// directory of the project is on it, and the user's.
func (u *user) leading() (own, users bool) {
	for _, entry := range filepath.SplitList(u.get("PATH")) {
		_, err := os.Stat(entry)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case !filepath.IsAbs(entry) || !shim.IsFarm(entry):
			return own, users
		case shim.IsRootFarm(entry):
			own = true
		default:
			users = true
		}
	}
	return own, users
}

// harmless is a name for a prompt. Shells expand what is in one, each in its own
// way, and a project may be called anything.
func harmless(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-+@,= ", r) {
			return r
		}
		return '_'
	}, name)
}

// A promptText is a format: text and names in turn, text first.
type promptText []string

func parsePrompt(format string) (promptText, error) {
	var p promptText
	for rest := format; ; {
		text, after, more := strings.Cut(rest, "{")
		p = append(p, text)
		if !more {
			return p, nil
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed {
			return nil, usagef("prompt: a { without a }: %q", format)
		}
		switch name {
		case "state", "name", "root", "mark":
		default:
			return nil, usagef("prompt: unknown {%s}; there are {state}, {name}, {root} and {mark}", name)
		}
		p, rest = append(p, name), tail
	}
}

func (p promptText) text(s promptState) string {
	var b strings.Builder
	for i, piece := range p {
		if i%2 == 1 {
			piece = map[string]string{"state": s.state, "name": s.name, "root": s.root, "mark": s.mark}[piece]
		}
		b.WriteString(piece)
	}
	return b.String()
}
