package detect

import (
	"cmp"
	"strings"

	"golang.org/x/sys/unix"
)

// A manager is a way to install programs: how a directory of PATH shows that it
// belongs to one, and what of it a program needs at run time.
//
// A row must not name what may hold a credential. The settings of a manager, its
// logs, its downloads and its caches are not needed to run what it installed.
type manager struct {
	name  string
	base  string   // what the root is usually called; such a row is tried first
	tails []string // a directory of PATH, as seen from the root; * is any one name; "" is the root, if it is called base
	marks []string // any of these below the root proves it
	proof proof    // or this does
	needs []string // shown, of what exists
	known []string // where the root holds nothing but these, it is shown whole: one mount
	hide  []string // where any of these exists, all directories but theirs are shown
	step  step     // what else there is to do

	versions   string // where the versions are, for stepVersions
	variable   string // names versions
	file       string // names versions, in a directory or above it
	interprets bool   // what a project may lead to: an interpreter or a compiler, never an environment
}

// A proof is what no list of names can say.
type proof string

const (
	proofPython proof = "python" // bin/python3 leads to a version that has a standard library
	proofParent proof = "parent" // base is right, and that is all there is
)

// A step is what else a row asks for.
type step string

const (
	stepVersions step = "versions"      // the selected versions
	stepRustup   step = "rustup"        // rustup's own home, which is elsewhere
	stepVenv     step = "venv"          // the python that a virtual environment is made from
	stepShim     step = "shim"          // the program behind the first link in shims/
	stepDotfiles step = "tool-versions" // version files in the home
	stepPrograms step = "programs"      // the programs in the root, one by one
)

var (
	prefixNames = []string{"bin", "include", "lib", "lib64", "share", "libexec", "man", "openssl", "BUILD", "README.md", "LICENSE", "LICENSE.txt", "CHANGELOG.md"}
	venvNames   = []string{"bin", "include", "lib", "lib64", "share", "etc", "man", "pyvenv.cfg", ".gitignore", "CACHEDIR.TAG", ".lock", "uv-receipt.toml", "pipx_metadata.json"}
	goNames     = []string{"bin", "pkg", "src", "lib", "go.env", "VERSION", "api", "doc", "misc", "test", "codereview.cfg", "CONTRIBUTING.md", "LICENSE", "PATENTS", "README.md", "SECURITY.md"}
	javaNames   = []string{"bin", "lib", "conf", "jmods", "include", "jre", "release", "legal", "man", "demo", "NOTICE"}
	envHooks    = []string{"bin", "libexec", "shims", "plugins", "version"}
)

// managers is the table. Rows with the same tail are tried in this order, after
// those whose base is the root's name. Those that the names in the root decide
// come first, since the others read its bin as well.
//
// pyenv.d is left out on purpose: its hook runs "pyenv rehash" after each pip
// install, which fails where shims/ is read-only, and turns a success of pip into
// exit status 1 (tried). rbenv.d does the same.
var managers = [...]manager{
	{
		name: "conda", tails: []string{"bin", "condabin"}, marks: []string{"conda-meta"},
		hide: []string{"envs", "pkgs", ".condarc", "conda-meta/state", "etc/conda/activate.d/env_vars.sh"},
	},
	{
		name: "virtual environment", tails: []string{"bin"}, marks: []string{"pyvenv.cfg"},
		needs: []string{"bin", "lib", "lib64", "include", "share", "pyvenv.cfg"}, known: venvNames, step: stepVenv,
	},
	{
		name: "pyenv", base: ".pyenv", tails: []string{"shims", "bin", "plugins/*/shims", "plugins/*/bin"},
		marks: []string{"libexec/pyenv"}, proof: proofParent, needs: envHooks,
		step: stepVersions, versions: "versions", variable: "PYENV_VERSION", file: ".python-version",
	},
	{
		name: "rbenv", base: ".rbenv", tails: []string{"shims", "bin"}, marks: []string{"libexec/rbenv"}, proof: proofParent, needs: envHooks,
		step: stepVersions, versions: "versions", variable: "RBENV_VERSION", file: ".ruby-version",
	},
	{
		name: "nodenv", base: ".nodenv", tails: []string{"shims", "bin"}, marks: []string{"libexec/nodenv"}, proof: proofParent, needs: envHooks,
		step: stepVersions, versions: "versions", variable: "NODENV_VERSION", file: ".node-version",
	},
	{
		name: "goenv", base: ".goenv", tails: []string{"shims", "bin"}, marks: []string{"libexec/goenv"}, proof: proofParent, needs: envHooks,
		step: stepVersions, versions: "versions", variable: "GOENV_VERSION", file: ".go-version",
	},
	{name: "rustup", base: ".cargo", tails: []string{"bin"}, marks: []string{"bin/rustup", "bin/cargo"}, needs: []string{"bin"}, step: stepRustup},
	{
		name: "volta", base: ".volta", tails: []string{"bin"}, marks: []string{"bin/volta-shim", "tools/image"},
		needs: []string{"bin", "tools", "layout.v2", "layout.v3", "layout.v4", "layout.v5"}, // without a layout it wants to migrate, and write
	},
	{
		name: "asdf", base: ".asdf", tails: []string{"shims", "bin", "installs/*/*/bin"}, marks: []string{"asdf.sh", "bin/asdf"}, proof: proofParent,
		needs: []string{"bin", "shims", "installs", "plugins", "lib", "asdf.sh", "defaults"}, step: stepDotfiles,
	},
	{
		name: "mise", base: "mise", tails: []string{"shims", "installs/*/*/bin", "installs/*/*"}, marks: []string{"shims"},
		needs: []string{"shims", "installs", "plugins"}, step: stepShim,
	},
	{
		name: "node", tails: []string{"bin"}, marks: []string{"bin/node"}, // not etc: its npmrc holds tokens
		needs: []string{"bin", "lib", "include", "share"}, known: prefixNames, interprets: true,
	},
	{name: "npm", tails: []string{"bin"}, marks: []string{"lib/node_modules"}, needs: []string{"bin", "lib"}, known: prefixNames},
	{
		name: "python", tails: []string{"bin"}, proof: proofPython,
		needs: []string{"bin", "lib", "lib64", "include", "share", "openssl"}, known: prefixNames, interprets: true,
	},
	{name: "go", tails: []string{"bin"}, marks: []string{"src/runtime"}, needs: []string{"bin", "pkg", "src", "lib", "go.env", "VERSION"}, known: goNames, interprets: true},
	{name: "go", base: "go", tails: []string{"bin"}, marks: []string{"pkg/mod", "pkg/sumdb"}, needs: []string{"bin"}},
	{name: "java", tails: []string{"bin"}, marks: []string{"lib/modules", "jre/lib"}, needs: []string{"bin", "lib", "conf", "jmods", "include", "jre", "release"}, known: javaNames, interprets: true},
	{name: "bun", base: ".bun", tails: []string{"bin"}, marks: []string{"bin/bun"}, needs: []string{"bin", "install/global"}},
	{name: "deno", base: ".deno", tails: []string{"bin"}, marks: []string{"bin/deno"}, needs: []string{"bin"}},
	{name: "pnpm", base: "pnpm", tails: []string{""}, marks: []string{"global", "pnpm"}, needs: []string{"global", "nodejs", ".tools"}, step: stepPrograms},
	{
		name: "homebrew", base: ".linuxbrew", tails: []string{"bin", "sbin"}, marks: []string{"Cellar"},
		needs: []string{"bin", "sbin", "lib", "libexec", "include", "share", "opt", "Cellar", "Library", "Homebrew", "etc/ca-certificates", "etc/openssl@3"},
	},
	{name: "gems", tails: []string{"bin"}, marks: []string{"specifications"}, needs: []string{"bin", "gems", "specifications", "extensions"}},
	{name: "yarn", base: ".yarn", tails: []string{"bin"}, marks: []string{"bin/yarn"}, needs: []string{"bin", "lib"}},
	{name: "node", tails: []string{"node_modules/.bin"}, marks: []string{"node_modules/.bin"}, needs: []string{"node_modules"}},
	{name: "composer", tails: []string{"vendor/bin"}, marks: []string{"vendor/autoload.php"}, needs: []string{"vendor"}},
}

// interpreter is a version of some language in a manager's own store.
var interpreter = manager{
	name: "interpreter", needs: []string{"bin", "lib", "lib64", "include", "share", "libexec", "openssl"}, known: prefixNames,
}

// above cuts tail off the end of dir, and returns the root that is left.
func above(dir, tail string) (root string, ok bool) {
	for tail != "" {
		i := strings.LastIndexByte(dir, '/')
		j := strings.LastIndexByte(tail, '/')
		if want := tail[j+1:]; i <= 0 || want != "*" && want != dir[i+1:] {
			return "", false
		}
		dir, tail = dir[:i], tail[:max(j, 0)]
	}
	return dir, true
}

// recognize adds what the manager of dir says, and reports whether it has one.
func (f *finder) recognize(dir string) bool {
	if f.private(dir) {
		return false
	}
	for _, usual := range []bool{true, false} {
		for i := range managers {
			m := &managers[i]
			for _, tail := range m.tails {
				root, ok := above(dir, tail)
				if !ok || (lastName(root) == m.base) != usual || tail == "" && !usual || f.nearHome(root) {
					continue
				}
				if planted, ok := f.roots[place{m, root}]; ok && (f.planted || !planted) {
					return true
				}
				if f.proved(m, root, usual) {
					f.manager(m, root)
					return true
				}
			}
		}
	}
	return false
}

// proved reports whether root is what m says. The project may be hostile, and
// what it leads to must prove more. Reading a directory once is cheaper than asking
// for each mark, except where the first answer will be yes.
func (f *finder) proved(m *manager, root string, usual bool) bool {
	if f.planted && !m.interprets && !f.inRoot(root) {
		return false
	}
	for _, mark := range m.marks {
		if usual && f.has(join(root, mark)) || !usual && f.marked(root, mark) {
			return true
		}
	}
	switch m.proof {
	case proofParent:
		return usual && f.has(join(root, "shims"))
	case proofPython:
		return f.isPython(root)
	}
	return false
}

// marked is has for a mark below root that is probably not there.
func (f *finder) marked(root, mark string) bool {
	first, rest := nextName(mark)
	switch {
	case !f.lists(root, first):
		return false
	case rest == "":
		return true
	case first == "bin":
		return f.lists(join(root, first), rest)
	}
	return f.has(join(root, mark))
}

// isPython reports whether root is where a python (or pypy) is installed: by the
// heart of the standard library of a version that is in bin, or by the store that
// it lies in.
func (f *finder) isPython(root string) bool {
	if isPythonOfUV(root) {
		return f.lists(root, "bin")
	}
	if !f.lists(root, "lib") {
		return false
	}
	var buf [64]byte
	if n, err := unix.Readlink(join(root, "bin/python3"), buf[:]); err == nil && n > 0 {
		name := string(buf[:n])
		return !strings.Contains(name, "/") && f.has(join(root, "lib/"+name+"/os.py"))
	}
	// conda and some builds have no python3, or have it as a file.
	for _, e := range f.list(join(root, "lib")) {
		if isPythonName(e.name) && f.has(join(root, "bin/"+e.name)) && f.has(join(root, "lib/"+e.name+"/os.py")) {
			return true
		}
	}
	return false
}

// isPythonName reports whether name is python3.12, pypy3.10 or the like.
func isPythonName(name string) bool {
	version := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	return (strings.HasPrefix(name, "python") || strings.HasPrefix(name, "pypy")) && version != "" && version[0] >= '0' && version[0] <= '9'
}

// isPythonOfUV reports whether root is one version in the store of uv, which holds
// interpreters and nothing else.
func isPythonOfUV(root string) bool {
	store := parent(root)
	if lastName(store) != "python" || lastName(parent(store)) != "uv" {
		return false
	}
	kind, version, ok := strings.Cut(lastName(root), "-")
	return ok && version != "" && (kind == "cpython" || kind == "pypy" || kind == "graalpy")
}

// manager adds what m needs of root.
func (f *finder) manager(m *manager, root string) {
	f.roots[place{m, root}] = f.planted
	f.why = cmp.Or(f.as, m.name) + ", for " + f.from
	switch {
	case f.inRoot(root): // all there already
	case m.hide != nil:
		f.directories(root, m.hide)
	case m.known != nil && f.holdsOnly(root, m.known) && f.show(root):
	default:
		for _, need := range m.needs {
			f.show(join(root, need))
		}
	}
	f.after(m, root)
}

func (f *finder) after(m *manager, root string) {
	switch m.step {
	case stepVersions:
		f.versions(m, root)
	case stepRustup:
		f.rustup()
		f.companions(join(root, "bin"))
	case stepVenv:
		f.venv(root)
	case stepShim:
		f.firstShim(join(root, "shims"))
		f.dotfiles()
	case stepDotfiles:
		f.dotfiles()
	case stepPrograms:
		if src, err := f.reach(root); err == nil {
			f.programs(src, true)
		}
	}
}
