package lost

import (
	"path"
	"slices"
	"strings"
)

// Keep returns the words of a command that installs the same into the project, where
// it is kept; nil where none is known. Each of its parts between "&&" is for the jail, and
// none opens a directory of programs to it: a hostile command decides what is left in its
// home, and must not choose what its user is told to type.
func Keep(args []string) []string {
	if len(args) < 2 {
		return nil
	}
	rest := args[1:]
	switch name := path.Base(args[0]); name {
	case "npm", "pnpm", "bun":
		if linksByName(rest) {
			return []string{name, "add", "../DIRECTORY"} // from one project to another
		}
		if i, ok := global(rest, "install", "i", "add", "update", "up"); ok && !placed(rest, "--prefix") {
			return slices.Concat([]string{name, rest[i]}, without(rest[i+1:], "-g", "--global", "--location=global"))
		}
	case "yarn":
		if linksByName(rest) {
			return []string{name, "add", "link:../DIRECTORY"}
		}
		if len(rest) > 2 && rest[0] == "global" && rest[1] == "add" {
			return slices.Concat([]string{name, "add"}, rest[2:])
		}
	case "cargo":
		if rest[0] == "install" && !placed(rest, "--root") {
			return slices.Concat([]string{name, "install", "--root", ".tools"}, rest[1:])
		}
	case "go":
		if rest[0] == "install" {
			return slices.Concat([]string{"env", "GOBIN=$PWD/.tools", name}, rest)
		}
	case "corepack":
		if rest[0] == "enable" && !slices.Contains(rest, "--install-directory") {
			return slices.Concat([]string{"mkdir", "-p", ".tools", "&&", name, "enable", "--install-directory", ".tools"}, rest[1:])
		}
	case "uv":
		if len(rest) == 3 && rest[0] == "tool" && rest[1] == "install" {
			return []string{"uvx", rest[2]}
		}
	case "pipx":
		if len(rest) == 2 && rest[0] == "install" {
			return []string{"pipx", "run", rest[1]}
		}
	default:
		return keepPip(name, rest)
	}
	return nil
}

// keepPip is Keep for pip, by whichever name.
func keepPip(name string, rest []string) []string {
	if strings.HasPrefix(name, "python") && len(rest) > 2 && rest[0] == "-m" && rest[1] == "pip" {
		name, rest = "pip", rest[2:]
	}
	if !strings.HasPrefix(name, "pip") || rest[0] != "install" || placed(rest, "-t", "--target", "--prefix", "--root", "--python", "--dry-run") {
		return nil
	}
	return slices.Concat([]string{"python3", "-m", "venv", ".venv", "&&", ".venv/bin/pip", "install"}, without(rest[1:], "--user", "--break-system-packages"))
}

// placed reports whether one of the options says where to install to, or that nothing is
// to be installed. Then it is no install for the account.
func placed(args []string, options ...string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return slices.Contains(options, name)
	})
}

// linksByName reports whether a package is to be linked through a directory for the whole
// account, and not by its path.
func linksByName(args []string) bool {
	named := slices.ContainsFunc(args[1:], func(a string) bool { return strings.Contains(a, "/") && a[0] != '@' })
	return (args[0] == "link" || args[0] == "ln") && !named
}

// global returns where in args a verb stands that was told to work for all projects.
func global(args []string, verbs ...string) (int, bool) {
	if !slices.Contains(args, "-g") && !slices.Contains(args, "--global") && !slices.Contains(args, "--location=global") {
		return 0, false
	}
	i := slices.IndexFunc(args, func(a string) bool { return slices.Contains(verbs, a) })
	return i, i >= 0
}

func without(args []string, words ...string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(a string) bool { return slices.Contains(words, a) })
}
