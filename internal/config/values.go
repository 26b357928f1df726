package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"jail/internal/sandbox/plan"
)

// A fault is what is wrong with one value.
type fault struct{ cause, hint string }

func faultf(hint, format string, args ...any) *fault {
	return &fault{cause: fmt.Sprintf(format, args...), hint: hint}
}

// about says which key or flag is meant.
func (f *fault) about(name string) *fault { return &fault{name + ": " + f.cause, f.hint} }

// A scene is where values come from, which decides what they are relative to.
type scene struct {
	known []key
	layer string // as plan.Reason says it
	file  string
	base  string   // what relative paths and patterns are relative to
	homes []string // the caller's; ~ is the first
	check func(pattern string) error
	ps    func(name string) bool // the name looks secret, and ps would show its value
}

// name is what a key is called here.
func (s *scene) name(k *key) string {
	if s.layer == layerFlag {
		return "--" + strings.ReplaceAll(k.name, "_", "-")
	}
	return k.name
}

// say writes one value of a key the way it is written here.
func (s *scene) say(k *key, value string) string {
	flag := s.layer == layerFlag
	switch {
	case flag && k.onOff:
		return s.name(k) + "=" + map[string]string{"true": "on", "false": "off"}[value]
	case flag && value == "true":
		return s.name(k)
	case flag && k.choice():
		return s.name(k) + "=" + value
	case flag:
		return s.name(k) + " " + quote(value)
	case k.choice():
		return k.name + " = " + literal(value)
	}
	return k.name + " = [" + quote(value) + "]"
}

// pattern reads one pattern.
func (s *scene) pattern(text string, k *key) (plan.Pattern, *fault) {
	p := plan.Pattern{Text: text, Base: s.patternBase(text), Action: k.action, Except: k.except}
	switch parts := strings.Split(text, "/"); {
	case strings.Trim(text, "/ ") == "":
		return p, faultf("", "the pattern %s names nothing", quote(text))
	case text[0] == '!':
		// In gitignore this opens again what an earlier line hid, which an
		// untrusted file must not do by a key that can only hide.
		return p, faultf(s.say(&key{name: string(k.action) + "_except", kind: patternList}, text[1:]),
			"the pattern %s begins with an exclamation mark, which has no meaning here", quote(text))
	case parts[0] == "~":
		return p, faultf("", "the pattern %s names the home, and patterns hide what lies in a project", quote(text))
	case slices.Contains(parts, ".."):
		return p, faultf("", "the pattern %s leads out of its directory", quote(text))
	}
	if s.check != nil {
		if err := s.check(text); err != nil {
			return p, faultf("", "the pattern %s is not valid: %s", quote(text), err)
		}
	}
	return p, nil
}

// patternBase is where a pattern applies. One typed as a flag without a slash
// means any depth of the project, wherever it was typed.
func (s *scene) patternBase(text string) string {
	if s.layer == layerFlag && !strings.Contains(strings.TrimRight(text, "/"), "/") {
		return ""
	}
	return s.base
}

// mapping reads one "path" or "path:path".
func (s *scene) mapping(text string, k *key) (plan.Map, *fault) {
	source, destination, two := strings.Cut(text, ":")
	switch {
	case strings.TrimSpace(source) == "":
		return plan.Map{}, faultf("", "the map %s has no source", quote(text))
	case two && (destination == "ro" || destination == "rw"):
		return plan.Map{}, faultf(s.say(&key{name: destination, kind: mapList}, source), "the map %s: the key says ro or rw, not the value", quote(text))
	case two && strings.TrimSpace(destination) == "", strings.Contains(destination, ":"):
		return plan.Map{}, faultf("", "the map %s is neither a path nor source:destination", quote(text))
	}
	from, f := s.path(source)
	if f != nil {
		return plan.Map{}, f
	}
	to := from
	if two {
		if c := destination[0]; c != '/' && c != '~' {
			return plan.Map{}, faultf("", "the map %s: where it appears must be an absolute path", quote(text))
		}
		if to, f = s.path(destination); f != nil {
			return plan.Map{}, f
		}
	}
	for _, path := range []string{from, to} {
		if f := s.tooWide(path, k); f != nil {
			return plan.Map{}, f
		}
	}
	return plan.Map{Source: from, Destination: to}, nil
}

// tooWide refuses a path that holds a home, and the host's /proc, where every
// process shows its root and its environment: whoever asks for one of them shows
// everything that the jail is there to hide. Where each directory in it would be a
// project, jail's own would lie in one.
func (s *scene) tooWide(path string, k *key) *fault {
	act := "mapped"
	if k.kind == dirList {
		act = "a directory of projects"
	}
	if within(path, "/proc") {
		return faultf("", "%s cannot be %s: it shows the processes of this host", quote(path), act)
	}
	for _, home := range append([]string{"/"}, s.homes...) {
		if home != "" && within(home, path) {
			return faultf(s.say(k, "~/one/directory"), "%s cannot be %s: it is or holds %s", quote(path), act, quote(home))
		}
	}
	return nil
}

// path makes a path absolute. No variable is expanded: none may choose what is
// shown.
func (s *scene) path(text string) (string, *fault) {
	head, rest, _ := strings.Cut(text, "/")
	switch {
	case head == "~" && (len(s.homes) == 0 || s.homes[0] == ""):
		return "", faultf("", "%s: passwd names no home for this user", quote(text))
	case head == "~":
		return filepath.Join(s.homes[0], rest), nil
	case strings.HasPrefix(head, "~"):
		return "", faultf("", "%s: only ~ itself is expanded, not another user's home", quote(text))
	case strings.Contains(head, "$"):
		return "", faultf("", "%s: variables are not expanded; write ~/ or an absolute path", quote(text))
	case filepath.IsAbs(text):
		return filepath.Clean(text), nil
	case s.base == "":
		return "", faultf("", "%s: a path here must be absolute or begin with ~/", quote(text))
	}
	return filepath.Join(s.base, text), nil
}

// within reports whether path is dir or lies below it. Both are absolute and
// clean; parts are compared whole, so that /a/bc is not within /a/b.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return false
	}
	first, _, _ := strings.Cut(rel, "/")
	return first != ".."
}

// variable reads NAME or NAME=value.
func (s *scene) variable(text string) (plan.EnvRule, *fault) {
	name, value, set := strings.Cut(text, "=")
	if f := variableName(name); f != nil {
		return plan.EnvRule{}, f
	}
	if set && s.ps != nil && s.ps(name) {
		return plan.EnvRule{}, faultf("--env "+name, "the value of %s would be seen in ps", name)
	}
	return plan.EnvRule{Name: name, Value: value, Set: set}, nil
}

func variableName(name string) *fault {
	odd := func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune(`*?$"'=`, r)
	}
	if name == "" || strings.ContainsFunc(name, odd) {
		return faultf("", "%s is not the name of a variable; each is named in full", quote(name))
	}
	return nil
}

// commandName reads the name of a command that is found on PATH.
func commandName(name string) *fault {
	odd := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '/' }
	if name == "" || name == "." || name == ".." || name[0] == '-' || strings.ContainsFunc(name, odd) {
		return faultf("", "%s is not the name of a command", quote(name))
	}
	return nil
}

// unprintable finds what no path, pattern or name may hold.
func unprintable(text string) bool {
	return strings.ContainsFunc(text, unicode.IsControl)
}
