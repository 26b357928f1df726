package detect

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

const (
	maxEntries  = 512 // of a directory
	maxScripts  = 16  // of a directory: how many first lines are read
	maxPrograms = 64  // shown one by one, where a directory holds other things too
	maxDepth    = 8   // interpreters of interpreters
)

// programDirs are names that say what is in a directory.
var programDirs = [...]string{"bin", "sbin", "shims", ".bin", "scripts", "Scripts"}

// generic adds a directory of PATH that no manager vouches for, and reports
// whether there was anything to add.
//
// PATH is a variable, so ~/Documents on it must not show ~/Documents. What counts
// is what lies there: a directory that holds nothing but programs, or is named
// like one and holds some, is shown; of any other only the programs are. What
// their links and their scripts lead to is shown too.
func (f *finder) generic(src plan.Source) bool {
	dir := src.Path
	if shown, ok := f.done[dir]; ok || f.planted {
		return shown
	}
	f.done[dir] = false
	f.linkedSecrets()
	if f.secret(dir) {
		return false
	}
	return f.programs(src, false)
}

// programs adds the programs in a directory; one by one if apart, and where other
// things lie among them.
func (f *finder) programs(src plan.Source, apart bool) bool {
	dir := src.Path
	fd, err := openDir(dir)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	if _, ok := f.dirs[dir]; !ok {
		f.dirs[dir] = readEntries(fd, maxEntries)
	}
	named := !apart && slices.Contains(programDirs[:], lastName(dir))
	programs, pure := programsIn(fd, f.dirs[dir], named)
	if len(programs) == 0 {
		return false
	}
	f.done[dir] = true
	f.why = "programs, for " + f.from
	if pure && !apart {
		f.trail = f.trail[:0]
		f.add(src)
		f.besides(dir)
	} else {
		for _, name := range programs[:min(len(programs), maxPrograms)] {
			f.follow(join(dir, name))
		}
	}
	f.entries(fd, dir)
	f.companions(dir)
	return true
}

// programsIn returns the programs among entries, and whether the directory can be
// shown whole. In one that is named for programs the first proves enough.
func programsIn(fd int, entries []entry, named bool) (programs []string, pure bool) {
	pure = true
	for _, e := range entries {
		if !isProgram(fd, e) {
			pure = pure && e.kind == unix.DT_LNK
			continue
		}
		if programs = append(programs, e.name); named {
			return programs, true
		}
	}
	return programs, pure
}

// isProgram reports whether e is a program or a link to one.
func isProgram(fd int, e entry) bool {
	if e.kind == unix.DT_REG {
		return unix.Faccessat(fd, e.name, unix.X_OK, 0) == nil
	}
	var st unix.Stat_t
	return e.kind == unix.DT_LNK && unix.Fstatat(fd, e.name, &st, 0) == nil &&
		st.Mode&unix.S_IFMT == unix.S_IFREG && st.Mode&0o111 != 0
}

// entries follows what the programs in dir lead to. Reading a file is three system
// calls, so only some scripts are read: those of one directory share a few
// interpreters, and the command's own script is read in any case (ProgramNeeds).
func (f *finder) entries(fd int, dir string) {
	from, scripts := f.from, 0
	for _, e := range f.dirs[dir] {
		f.from = from
		switch {
		case e.kind == unix.DT_LNK:
			f.entryLink(fd, dir, e.name)
		case e.kind == unix.DT_REG && scripts < maxScripts:
			scripts++
			if s, ok := readShebang(fd, e.name); ok {
				f.interpreter(join(dir, e.name), s)
				f.wrapped(join(dir, e.name), s.Wraps)
			}
		}
	}
	f.from = from
}

// entryLink follows a link in dir, unless it leads to where everything is shown.
func (f *finder) entryLink(fd int, dir, name string) {
	var buf [512]byte
	n, err := unix.Readlinkat(fd, name, buf[:])
	if err != nil || n == len(buf) {
		return
	}
	end := path.Join(dir, string(buf[:n]))
	if buf[0] == '/' {
		end = path.Clean(string(buf[:n]))
	}
	if parent(end) != dir && !f.in.System(end) && !f.covered(end) {
		f.follow(join(dir, name))
	}
}

// besides adds what a program finds by the way of its own directory: the other
// parts of an installation, but not its settings and its data. Beside a ~/bin and
// a ~/.local/bin lies the user's own life, so only what npm and pip install there
// is taken; and what is under version control is somebody's work, not a prefix.
func (f *finder) besides(dir string) {
	name, root := lastName(dir), parent(dir)
	if name != "bin" && name != "sbin" {
		return
	}
	if f.nearHome(root) {
		f.show(join(root, "lib/node_modules"))
		f.userSite(join(root, "lib"))
		return
	}
	if f.isWork(root) || f.isCommon(root) {
		return
	}
	for _, part := range [...]string{"bin", "sbin", "lib", "lib64", "libexec", "share"} {
		if part != name {
			f.show(join(root, part))
		}
	}
}

// nearHome reports whether root is a home's own prefix: the home, what is above
// it, and ~/.local.
func (f *finder) nearHome(root string) bool {
	for _, home := range f.in.Homes {
		if within(home, root) || root == join(home, ".local") {
			return true
		}
	}
	return root == "/"
}

// isWork reports whether root lies in somebody's work tree.
func (f *finder) isWork(root string) bool {
	for ; root != "/" && !slices.Contains(f.in.Homes, root); root = parent(root) {
		if f.has(join(root, ".git")) {
			return true
		}
	}
	return false
}

// isCommon reports whether anybody may write to root: not one installation.
func (f *finder) isCommon(root string) bool {
	src, err := Stat(root)
	return err != nil || src.Perm&0o002 != 0
}

// userSite adds what "pip install --user" installs, for every version.
func (f *finder) userSite(lib string) {
	for _, e := range f.list(lib) {
		if strings.HasPrefix(e.name, "python") && e.kind == unix.DT_DIR {
			f.show(join(lib, e.name))
		}
	}
}

// follow adds what a link leads to.
func (f *finder) follow(link string) {
	src, err := f.reach(link)
	if err != nil {
		return
	}
	if src.Type == plan.Regular {
		f.file(src)
	} else if f.visible(src.Path) || f.covered(src.Path) {
		f.why = "link, for " + f.from
		f.commit()
	}
}

// file adds the program that reach has just found, with all that it belongs to.
func (f *finder) file(src plan.Source) {
	planted := f.planted
	f.planted = planted || f.isPlanted(src.Path)
	defer func() { f.planted = planted }()

	trail := slices.Clone(f.trail)
	shown, managed := f.showProgram(src)
	if !shown {
		return
	}
	f.trail = trail
	f.why = "link, for " + f.from
	f.commit()
	if managed && !f.lookups {
		return // its manager knows its interpreter
	}
	if s, ok := readShebang(unix.AT_FDCWD, src.Path); ok {
		f.interpreter(src.Path, s)
		f.wrapped(src.Path, s.Wraps)
	}
}

// showProgram adds a program by the manager that it belongs to, or by itself.
func (f *finder) showProgram(src plan.Source) (shown, managed bool) {
	dir := parent(src.Path)
	switch {
	case f.visible(src.Path), f.covered(src.Path):
		return true, false
	case f.recognize(dir) && f.covered(src.Path):
		return true, true
	case f.planted, src.Type != plan.Regular, src.Perm&0o111 == 0:
		return false, false // a file of the project leads to no file of its choice
	}
	f.why = "program, for " + f.from
	f.trail = f.trail[:0]
	if f.packages(src.Path) {
		return true, false
	}
	if f.linkedSecrets(); !f.add(src) {
		return false, false
	}
	f.besides(dir)
	return true, false
}

// packages adds the whole of the node_modules that file lies in: its packages find
// each other by their places.
func (f *finder) packages(file string) bool {
	root, _, ok := strings.Cut(file, "/node_modules/")
	return ok && f.show(root+"/node_modules")
}

// interpreter adds what the first line of a script asks for.
func (f *finder) interpreter(script string, s shebang) {
	if f.depth == maxDepth {
		return
	}
	f.depth++
	defer func() { f.depth-- }()
	program := s.Interpreter
	planted := f.planted
	if s.Name != "" && f.lookups {
		program, _ = Lookup(s.Name, strings.Join(f.in.PathDirs, ":"), f.in.Cwd, f.in.Farms)
		f.planted = false // the name is the script's; where it leads is the caller's PATH
	}
	if program != "" && program[0] == '/' && !f.done[program] {
		f.done[program] = true
		from := f.from
		f.from = script
		if f.lookups {
			_ = f.run(program) // what is missing is missing outside too
		} else if !f.in.System(program) {
			f.follow(program)
		}
		f.from = from
	}
	f.planted = planted
}
