package detect

import (
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// firstShim adds the program behind a directory of shims that are all links to
// one, as mise makes them.
func (f *finder) firstShim(dir string) {
	for _, e := range f.list(dir) {
		if e.kind == unix.DT_LNK {
			f.follow(join(dir, e.name))
			return
		}
	}
}

// dotfiles adds what asdf and mise read in the home to know which version to run.
func (f *finder) dotfiles() {
	f.why = "version file"
	for _, home := range f.in.Homes {
		for _, name := range [...]string{".tool-versions", ".asdfrc"} {
			if src, ok := f.ownFile(join(home, name)); ok {
				f.add(src)
			}
		}
		path := join(home, ".config/mise/config.toml")
		if src, ok := f.ownFile(path); ok && isToolList(path) {
			f.need(src)
		}
		f.trusted(join(home, ".local/state/mise/trusted-configs"))
	}
}

// trusted adds the links by which mise knows that the user trusts this project's
// mise.toml; without them its shims refuse to run there. Those for other projects
// stay hidden.
func (f *finder) trusted(dir string) {
	for _, e := range f.list(dir) {
		path := join(dir, e.name)
		if e.kind != unix.DT_LNK || f.in.Root == "" || f.secret(path) {
			continue
		}
		src, err := Stat(path)
		if err == nil && (within(src.Link, f.in.Root) || within(f.in.Root, src.Link)) {
			f.why = "the user's trust in this project, for mise"
			f.need(src)
		}
	}
}

// ownFile is the regular file at path, if no link leads there.
func (f *finder) ownFile(path string) (plan.Source, bool) {
	src, err := f.reach(path)
	return src, err == nil && src.Type == plan.Regular && src.Path == path
}

// isToolList reports whether mise's settings hold tools and versions and nothing
// else. They may hold variables and tasks too, and those hold credentials; without
// the file no shim of mise runs. It is the one thing below ~/.config that is shown
// as it is, so the benefit of the doubt goes the other way.
func isToolList(path string) bool {
	var buf [16 << 10]byte
	n, err := readStart(unix.AT_FDCWD, path, buf[:])
	if err != nil || n == len(buf) {
		return false
	}
	for line := range strings.Lines(string(buf[:n])) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line == "[tools]" || line == "[settings]":
		case strings.ContainsAny(line, "@$#{'") || len(line) > 100:
			return false
		case !isToolLine(line):
			return false
		}
	}
	return true
}

// isToolLine reports whether line is: name = a version, a switch, or a list of
// such.
func isToolLine(line string) bool {
	name, value, ok := strings.Cut(line, "=")
	if !ok || !isToolWord(strings.Trim(strings.TrimSpace(name), `"`)) {
		return false
	}
	value = strings.TrimSpace(value)
	value = strings.TrimSuffix(strings.TrimPrefix(value, "["), "]")
	for word := range strings.SplitSeq(value, ",") {
		if word = strings.Trim(strings.TrimSpace(word), `"`); len(word) > 20 || !isToolWord(word) {
			return false
		}
	}
	return true
}

// isToolWord reports whether word has only what names and versions are made of.
// The letters that are left cannot say much: a token is longer than a version.
func isToolWord(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".-_:/*", r))
	}) < 0
}
