package doctor

import (
	"fmt"
	"slices"
	"strings"
)

// names looks at what PATH finds for the names that have a shim. Outside of
// projects the real program should be found, unless the shims are on PATH for good.
func names(f *Facts) (found []Finding) {
	if f.Project == nil && !f.Farm.First {
		return nil
	}
	var before []string
	for _, n := range f.Names {
		if !n.Shim && n.First != "" {
			before = append(before, fmt.Sprintf("%s (%s)", n.Name, n.First))
		}
	}
	if len(before) > 0 && f.Farm.OnPath {
		found = append(found, Finding{
			"name-before", Wrong, "found on PATH before their shims, so not jailed: " + some(before), again(f.Shell),
		})
	}
	if len(f.Uncovered) > 0 {
		found = append(found, Finding{
			"name-bare", Wrong, "on PATH without a shim, so not jailed: " + some(f.Uncovered), "jail-hook shims refresh" + forget(f.Shell),
		})
	}
	return found
}

// again puts the shims first, and makes the shell forget where commands were.
func again(shell string) string {
	if shell == "" {
		shell = "bash"
	}
	return initCode(shell) + forget(shell)
}

func forget(shell string) string {
	switch shell {
	case "fish":
		return ""
	case "zsh":
		return "; rehash"
	}
	return "; hash -r"
}

// A Kind is what a shell has for a name before it looks at PATH.
type Kind string

// The kinds of Word.
const (
	Alias    Kind = "alias"
	Function Kind = "function"
	Hash     Kind = "hash"
)

// A Word is one name of a shell's own.
type Word struct {
	Kind Kind
	Name string
	Text string // of an alias: what it stands for; of a function: its body; of a hash: the path
}

// Tell is the command by which a shell tells Words what it knows about names.
func Tell(shell string, names []string) string {
	switch shell {
	case "bash":
		return "{ alias; declare -f; hash -l; } 2>/dev/null | jail-hook doctor --names"
	case "zsh":
		return "{ alias -L; functions; hash -L; } | jail-hook doctor --names"
	case "fish":
		return "functions " + strings.Join(names, " ") + " 2>/dev/null | jail-hook doctor --names"
	}
	return ""
}

// Words reads what the commands of Tell print. What it does not understand it
// passes over: the text is for shells, and each has a form of its own.
func Words(text string) (all []Word) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "alias "):
			all = append(all, alias(line))
		case strings.HasPrefix(line, "hash "), strings.HasPrefix(line, "builtin hash "):
			all = append(all, hashed(line))
		default:
			name, ok := opens(line)
			if !ok {
				continue
			}
			body := i
			for i+1 < len(lines) && lines[i] != "}" && lines[i] != "end" {
				i++
			}
			all = append(all, Word{Function, name, strings.Join(lines[body:i], "\n")})
		}
	}
	return slices.DeleteFunc(all, func(w Word) bool { return w.Name == "" })
}

// alias reads alias npm='...' of bash and zsh. The aliases of fish are functions.
func alias(line string) Word {
	rest := strings.TrimPrefix(strings.TrimPrefix(line, "alias "), "-- ")
	name, text, _ := strings.Cut(rest, "=")
	return Word{Alias, strings.Trim(name, "'"), strings.Trim(text, "'\"$")}
}

// hashed reads builtin hash -p /usr/bin/npm npm of bash, and hash npm=/usr/bin/npm
// of zsh.
func hashed(line string) Word {
	fields := strings.Fields(strings.TrimPrefix(line, "builtin "))
	if len(fields) == 4 && fields[1] == "-p" {
		return Word{Hash, fields[3], fields[2]}
	}
	if len(fields) == 2 {
		name, path, _ := strings.Cut(fields[1], "=")
		return Word{Hash, name, path}
	}
	return Word{}
}

// opens reads the first line of a function: npm () of bash, npm () { of zsh,
// function npm of fish.
func opens(line string) (name string, ok bool) {
	if rest, found := strings.CutPrefix(line, "function "); found {
		name, _, _ = strings.Cut(strings.TrimSuffix(rest, " ()"), " ")
		return name, name != ""
	}
	name, rest, found := strings.Cut(line, " ()")
	return name, found && name != "" && !strings.ContainsAny(name, " \t") && (strings.TrimSpace(rest) == "" || strings.TrimSpace(rest) == "{")
}

// words finds the names that a shell does not look for on PATH at all.
func words(f *Facts) (found []Finding) {
	for _, w := range f.Words {
		if !f.shimmed(w.Name) || f.harmless(w) {
			continue
		}
		id, level, text, fix := "name-"+string(w.Kind), Wrong, "", ""
		switch w.Kind {
		case Alias:
			text, fix = fmt.Sprintf("%s is an alias, which leads past the shim: %q", w.Name, w.Text), "unalias "+w.Name
		case Function:
			text, fix = fmt.Sprintf("%s is a function; what it calls by a bare name is jailed, and by a path not", w.Name), "unset -f "+w.Name
			if !strings.Contains(w.Text, "/"+w.Name) {
				level = Note
			}
		case Hash:
			text, fix = fmt.Sprintf("the shell remembers %s as %s and does not look at PATH", w.Name, w.Text), strings.TrimPrefix(forget(f.Shell), "; ")
		}
		if f.Shell == "fish" {
			fix = "functions --erase " + w.Name
		}
		found = append(found, Finding{id, level, text, fix})
	}
	return found
}

func (f *Facts) shimmed(name string) bool {
	return slices.ContainsFunc(f.Names, func(n Name) bool { return n.Name == name })
}

// harmless reports whether a word leads to a shim all the same: an alias that only
// adds options, a function of the hook's own, a place that is a farm.
func (f *Facts) harmless(w Word) bool {
	switch w.Kind {
	case Alias:
		for _, first := range strings.Fields(w.Text) {
			if name, _, set := strings.Cut(first, "="); set && !strings.Contains(name, "/") {
				continue // a variable for this command
			}
			return f.shimmed(first) || first == "jail"
		}
		return true
	case Function:
		return strings.Contains(w.Text, "__jail_")
	}
	if f.Project == nil && !f.Farm.First {
		return true // outside of projects it should be the real one
	}
	return w.Text == f.Farm.Dir+"/"+w.Name || strings.Contains(w.Text, "/jail/roots/")
}
