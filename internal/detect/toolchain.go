package detect

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A ToolchainInput says where to look for toolchains and where not.
type ToolchainInput struct {
	PathDirs []string // the entries of PATH, in order
	Homes    []string // as Homes returns them
	Root     string   // the project, physical; what lies in it is visible anyway
	Cwd      string   // version files are searched from here upward
	Env      func(name string) string
	System   func(path string) bool // visible anyway: /usr, /opt, /nix ...
	Farms    []plan.ID              // never shown
}

// Toolchains returns what the programs on PATH need besides the system: for each
// directory of PATH that the jail would otherwise hide, that directory and the
// version that its entries lead to, by the table of managers.
//
// Everything in the answer is proved by what lies on the disk. A variable or a
// file of the project can choose between things that are installed, such as
// versions of python, and nothing else: PYENV_VERSION=../../.ssh, a pyvenv.cfg
// whose home is ~/.ssh, and ~/.ssh on PATH itself all show nothing.
//
// The answer is sorted by path. No path stands twice, none lies below a
// directory that is in the answer, and none is a home, above a home, above the
// project, or a place where credentials live. All paths are physical; a link on
// the way to one is a Need of its own, of type Symlink, so that it exists inside
// too. A home that is itself a link is such a Need.
func Toolchains(in ToolchainInput) []plan.Need {
	f := newFinder(in)
	f.path()
	return f.result()
}

// ProgramNeeds returns what the program at path needs besides the system: each
// link on the way to it, the file, its interpreter, and the toolchain that they
// belong to. It has the shape of Toolchains' answer; the error is that of the
// path itself. Only here is the name behind "#!/usr/bin/env NAME" looked up on
// PATH.
func ProgramNeeds(path string, in ToolchainInput) ([]plan.Need, error) {
	f := newFinder(in)
	if err := f.program(path); err != nil {
		return nil, err
	}
	return f.result(), nil
}

// Needs is ProgramNeeds and Toolchains in one answer. They mostly look at the same
// places, and nothing is looked at twice.
func Needs(path string, in ToolchainInput) ([]plan.Need, error) {
	f := newFinder(in)
	if err := f.program(path); err != nil {
		return nil, err
	}
	f.path()
	return f.result(), nil
}

// path adds what the directories of PATH need.
func (f *finder) path() {
	for i, dir := range f.in.PathDirs {
		if isCandidate(dir, f.in) && !slices.Contains(f.in.PathDirs[:i], dir) {
			f.pathDir(dir)
		}
	}
}

// program adds what the command's own program needs.
func (f *finder) program(path string) error {
	f.lookups, f.from = true, path
	defer func() { f.lookups = false }()
	if err := f.run(path); err != nil {
		return &NotExecutableError{Path: path, Cause: err}
	}
	return nil
}

// run adds what running path needs. The directory that it lies in counts as well
// as the file at the end of its links: a shim reads its manager's files, wherever
// it leads.
func (f *finder) run(path string) error {
	planted := f.planted
	defer func() { f.planted = planted }()
	if dir, err := f.reach(parent(path)); err == nil && !f.in.System(dir.Path) {
		f.planted = f.planted || f.isPlanted(dir.Path)
		f.recognize(dir.Path)
	}
	src, err := f.reach(path)
	if err != nil {
		return err
	}
	f.file(src)
	f.companions(parent(path))
	return nil
}

// isPlanted reports whether the project had a say in how path was reached.
func (f *finder) isPlanted(path string) bool {
	return f.inRoot(path) || slices.ContainsFunc(f.trail, func(link plan.Source) bool {
		return f.inRoot(link.Path)
	})
}

// inRoot reports whether path lies in the project, if there is one.
func (f *finder) inRoot(path string) bool { return f.in.Root != "" && within(path, f.in.Root) }

// isCandidate reports whether a directory of PATH is worth a system call.
func isCandidate(dir string, in ToolchainInput) bool {
	return dir != "" && dir[0] == '/' && !in.System(dir) && !isWindows(dir)
}

// isWindows reports whether dir is on a drive of Windows as WSL mounts it, ten of
// which usually are on PATH. Their programs cannot run inside, and each look costs
// a round trip to the host.
func isWindows(dir string) bool {
	mnt, rest := nextName(dir)
	drive, _ := nextName(rest)
	return mnt == "mnt" && len(drive) == 1
}

// A finder collects Needs.
type finder struct {
	in      ToolchainInput
	needs   []plan.Need
	trail   []plan.Source          // links that the last reach went through
	seen    map[string]plan.Source // what stands where; without a Type: anything but a link
	dirs    map[string][]entry     // what directories hold
	roots   map[place]bool         // what was recognized; true where only the project led there
	done    map[string]bool        // what else was looked at, and whether it led to anything
	from    string                 // what asked for all this: a directory of PATH, a program
	as      string                 // what to call a manager in a Reason, where the table's name says less
	why     string                 // the Reason of what is added now
	planted bool                   // a file of the project led here: only public toolchains count
	lookups bool                   // env NAME is looked up on PATH
	depth   int                    // interpreters of interpreters
	secrets []string               // where links in a home's secret places lead; see linkedSecrets
}

// A place is where a manager was recognized.
type place struct {
	manager *manager
	root    string
}

func newFinder(in ToolchainInput) *finder {
	return &finder{
		in:    in,
		needs: make([]plan.Need, 0, 32),
		seen:  make(map[string]plan.Source, 64),
		dirs:  make(map[string][]entry, 8),
		roots: make(map[place]bool, 8),
		done:  make(map[string]bool, 32),
	}
}

// pathDir adds what one directory of PATH needs.
func (f *finder) pathDir(dir string) {
	src, err := f.reach(dir)
	if err != nil || src.Type != plan.Directory || slices.Contains(f.in.Farms, src.ID) {
		return
	}
	way := "on the way to " + dir + " on PATH"
	if f.in.System(src.Path) {
		f.why = way
		f.commit()
		return
	}
	trail := slices.Clone(f.trail)
	f.planted = f.isPlanted(src.Path)
	f.from = dir + " on PATH"
	if !f.recognize(src.Path) && !f.generic(src) {
		return
	}
	f.trail, f.why = trail, way // it leads to something: the way there must exist too
	f.commit()
}

// reach follows path as the kernel does, one component at a time, and returns
// what is at its end. The links on the way are left in f.trail.
func (f *finder) reach(path string) (plan.Source, error) {
	f.trail = f.trail[:0]
	at, rest := "/", path
	for {
		var name string
		name, rest = nextName(rest)
		switch name {
		case "":
			return f.step(at, true)
		case "..":
			at = parent(at)
			continue
		}
		src, err := f.step(join(at, name), rest == "")
		switch {
		case err != nil:
			return plan.Source{}, err
		case src.Type != plan.Symlink && rest == "":
			return src, nil
		case src.Type != plan.Symlink:
			at = src.Path
			continue
		}
		if f.trail = append(f.trail, src); len(f.trail) > maxLinks {
			return plan.Source{}, unix.ELOOP
		}
		if src.Link[0] == '/' { // no link has an empty text
			at = "/"
		}
		rest = strings.TrimPrefix(src.Link+"/"+rest, "/")
	}
}

// step is what stands at path, whose parent has no links. In the middle of a path
// only a link matters, and one readlink tells it from everything else; most
// directories are met again and again, and asked about once.
func (f *finder) step(path string, last bool) (plan.Source, error) {
	if src, ok := f.seen[path]; ok && (src.Type != plan.Absent || !last) {
		return src, nil
	}
	if !last {
		var one [1]byte
		if _, err := unix.Readlink(path, one[:]); err != nil {
			if err != unix.EINVAL { // which means: exists, and is no link
				return plan.Source{}, err
			}
			f.seen[path] = plan.Source{Path: path}
			return f.seen[path], nil
		}
	}
	src, err := Stat(path)
	if err == nil {
		f.seen[path] = src
	}
	return src, err
}

// nextName cuts the first component that means something off path.
func nextName(path string) (name, rest string) {
	for path != "" {
		name, path, _ = strings.Cut(path, "/")
		if name != "" && name != "." {
			return name, strings.TrimLeft(path, "/")
		}
	}
	return "", ""
}

// parent is the directory that holds path, which is physical.
func parent(path string) string {
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		return path[:i]
	}
	return "/"
}

// lastName is the last component of path.
func lastName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// show adds what is at path, with the links on the way, and reports whether it
// will be there inside. What is not there, or must not be shown, is left out
// without a word: the program then fails as it would without it.
func (f *finder) show(path string) bool {
	src, err := f.reach(path)
	return err == nil && f.add(src)
}

// add is show for the last answer of reach.
func (f *finder) add(src plan.Source) bool {
	if f.visible(src.Path) {
		f.commit()
		return true
	}
	isFile := src.Type == plan.Regular || src.Type == plan.Directory
	if !isFile || f.secret(src.Path) || slices.Contains(f.in.Farms, src.ID) {
		return false
	}
	f.commit()
	f.need(src)
	return true
}

// commit adds the links that the last reach went through.
func (f *finder) commit() {
	for _, link := range f.trail {
		if !f.visible(link.Path) && !f.secretLink(link.Path) && !f.covered(link.Path) {
			f.need(link)
		}
	}
	f.trail = f.trail[:0]
}

func (f *finder) need(src plan.Source) {
	f.needs = append(f.needs, plan.Need{
		Source: src,
		Reason: plan.Reason{Layer: "toolchain", Text: f.why},
	})
}

// visible reports whether path is there inside without a Need of its own.
func (f *finder) visible(path string) bool {
	return f.in.System(path) || f.inRoot(path)
}

// covered reports whether a Need already shows path.
func (f *finder) covered(path string) bool {
	for i := range f.needs {
		src := &f.needs[i].Source
		if src.Type == plan.Directory && within(path, src.Path) {
			return true
		}
	}
	return false
}

// has reports whether there is anything at path, links followed.
func (f *finder) has(path string) bool {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.F_OK, 0) == nil
}

// result is what was found.
func (f *finder) result() []plan.Need { return MergeNeeds(f.needs) }

// MergeNeeds is the union of lists: sorted, without what a directory in it shows
// anyway. Of two Needs for one path the first stays.
func MergeNeeds(lists ...[]plan.Need) []plan.Need {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b plan.Need) int {
		return comparePaths(a.Source.Path, b.Source.Path)
	})
	kept := all[:0]
	shown := "" // the last directory that was kept
	for _, need := range all {
		path := need.Source.Path
		if shown != "" && within(path, shown) {
			continue
		}
		if n := len(kept); n > 0 && kept[n-1].Source.Path == path {
			continue
		}
		if need.Source.Type == plan.Directory {
			shown = path
		}
		kept = append(kept, need)
	}
	slices.SortFunc(kept, func(a, b plan.Need) int {
		return strings.Compare(a.Source.Path, b.Source.Path)
	})
	return slices.Clip(kept)
}

// comparePaths orders paths component by component, so that what lies below a
// directory follows it at once: /a, /a/b, /a-b.
func comparePaths(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}
