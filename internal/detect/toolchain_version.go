package detect

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// versions adds the versions that m would run here: those of its variable, else
// those of the nearest version file, else the global one. Only what is installed
// counts, and a name is never a path.
func (f *finder) versions(m *manager, root string) {
	store := join(root, m.versions)
	for _, name := range f.selected(m, root) {
		if name = f.installed(store, name); name != "" {
			f.as = m.name + " " + name
			f.version(store, name)
			f.as = ""
		}
	}
}

func (f *finder) selected(m *manager, root string) []string {
	if text := f.in.Env(m.variable); text != "" {
		return strings.Split(text, ":")
	}
	for dir := f.in.Cwd; ; dir = parent(dir) {
		if names, plain := versionWords(join(dir, m.file)); names != nil {
			if plain {
				f.versionFile(join(dir, m.file))
			}
			return names
		}
		if dir == "/" || dir == "" {
			names, _ := versionWords(join(root, "version"))
			return names
		}
	}
}

// versionFile adds a version file that lies above the project: the manager looks
// for it inside as well, and would else take another version.
func (f *finder) versionFile(path string) {
	src, err := Stat(path)
	if err != nil || src.Type != plan.Regular || f.visible(path) {
		return
	}
	f.trail = f.trail[:0]
	f.why = "version file"
	f.add(src)
}

// versionWords is the first word of each line of a version file, nil without one,
// and whether the file holds names of versions and nothing else.
func versionWords(path string) (names []string, plain bool) {
	var buf [1024]byte
	n, err := readStart(unix.AT_FDCWD, path, buf[:])
	if err != nil {
		return nil, false
	}
	plain = n < len(buf)
	for line := range strings.Lines(string(buf[:n])) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if fields[0][0] == '#' {
			plain = false
			continue
		}
		plain = plain && len(fields) == 1 && isVersion(fields[0])
		names = append(names, fields[0])
	}
	return names, plain
}

// isVersion reports whether name can be a directory of a version, and no other
// place.
func isVersion(name string) bool {
	return name != "" && len(name) <= 128 && name[0] != '.' && name[0] != '-' &&
		strings.IndexFunc(name, func(r rune) bool {
			return r <= ' ' || r == '/' || r == '\\' || r == ':' || r >= 0x7f
		}) < 0
}

// installed is the directory in store that name means: itself, itself without a
// word in front (python-3.12, ruby-3.3, v20), or the newest that it begins. It is
// empty for system, and for what is not installed.
func (f *finder) installed(store, name string) string {
	if !isVersion(name) || name == "system" {
		return ""
	}
	if _, err := f.reach(join(store, name)); err == nil {
		return name
	}
	plain := strings.TrimPrefix(name, "v")
	if _, after, ok := strings.Cut(name, "-"); ok && after != "" && after[0] >= '0' && after[0] <= '9' {
		plain = after
	}
	if plain != name && isVersion(plain) && f.has(join(store, plain)) {
		return plain
	}
	entries := f.list(store)
	if newest := newestOf(entries, name); newest != "" || plain == name {
		return newest
	}
	return newestOf(entries, plain)
}

// newestOf is the newest finished release among entries that prefix begins. Links
// are names of virtual environments.
func newestOf(entries []entry, prefix string) string {
	newest := ""
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.name, prefix)
		if !ok || rest == "" || e.kind != unix.DT_DIR || rest[0] != '.' && rest[0] != '-' || !isRelease(e.name) {
			continue
		}
		if newest == "" || newer(e.name, newest) {
			newest = e.name
		}
	}
	return newest
}

// isRelease reports whether a version ends in a number: 3.13.0, not 3.13.0rc2,
// 3.14-dev or the free-threaded 3.13.0t.
func isRelease(name string) bool {
	last := name[strings.LastIndexAny(name, ".-")+1:]
	_, err := strconv.Atoi(last)
	return err == nil
}

// newer compares versions number by number.
func newer(a, b string) bool {
	as, bs := strings.FieldsFunc(a, isDotOrDash), strings.FieldsFunc(b, isDotOrDash)
	for i := range min(len(as), len(bs)) {
		x, errX := strconv.Atoi(as[i])
		y, errY := strconv.Atoi(bs[i])
		switch {
		case errX != nil || errY != nil:
			if as[i] != bs[i] {
				return as[i] > bs[i]
			}
		case x != y:
			return x > y
		}
	}
	return len(as) > len(bs)
}

func isDotOrDash(r rune) bool { return r == '.' || r == '-' }

// version adds one version. A version that is a link may lead anywhere, so what
// is at its end must prove what it is.
func (f *finder) version(store, name string) {
	src, err := f.reach(join(store, name))
	if err != nil || src.Type != plan.Directory {
		return
	}
	trail, root := slices.Clone(f.trail), src.Path
	_, known := f.roots[place{&interpreter, root}]
	switch {
	case known:
	case !within(root, store) || f.lists(root, "pyvenv.cfg") || f.lists(root, "conda-meta"):
		if !f.recognize(join(root, "bin")) {
			return
		}
	default:
		f.manager(&interpreter, root)
	}
	f.trail, f.why = trail, f.as+", for "+f.from
	f.commit()
}

// venv adds the python that a virtual environment is made from. The file that
// names it may be the project's, so the place must prove what it is.
func (f *finder) venv(root string) {
	planted := f.planted
	f.planted = planted || f.inRoot(root)
	defer func() { f.planted = planted }()
	if !f.base(venvHome(join(root, "pyvenv.cfg"))) {
		f.follow(join(root, "bin/python"))
	}
	store := parent(root)
	shared := join(parent(store), "shared")
	if _, looked := f.done[shared]; !looked && lastName(store) == "venvs" {
		f.done[shared] = f.show(shared) // pipx keeps pip once for all its tools
	}
}

// base adds the python in dir, and the links on the way to it.
func (f *finder) base(dir string) bool {
	if dir == "" {
		return false
	}
	src, err := f.reach(dir)
	if err != nil || src.Type != plan.Directory {
		return false
	}
	trail := slices.Clone(f.trail)
	if !f.visible(src.Path) && !f.recognize(src.Path) {
		return false
	}
	f.trail = trail
	f.commit()
	return true
}

// venvHome is the directory that a pyvenv.cfg names; empty unless absolute.
func venvHome(path string) string {
	var buf [2048]byte
	n, err := readStart(unix.AT_FDCWD, path, buf[:])
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(buf[:n])) {
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "home" {
			continue
		}
		if value = strings.TrimSpace(value); filepath.IsAbs(value) {
			return value
		}
	}
	return ""
}
