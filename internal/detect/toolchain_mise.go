package detect

import (
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

// dotfiles adds what asdf and mise read in the home to know which version to run; of
// mise's settings package settings makes a copy.
func (f *finder) dotfiles() {
	f.why = "version file"
	for _, home := range f.in.Homes {
		for _, name := range [...]string{".tool-versions", ".asdfrc"} {
			if src, ok := f.ownFile(join(home, name)); ok {
				f.add(src)
			}
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
