package shell

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed bash/detach.bash
var bashDetach string

//go:embed bash/jail.bash
var bashInit string

//go:embed bash/uninit.bash
var bashUninit string

//go:embed fish/jail.fish
var fishInit string

//go:embed fish/uninit.fish
var fishUninit string

//go:embed zsh/jail.zsh
var zshInit string

//go:embed zsh/uninit.zsh
var zshUninit string

// Settings are what a hook has to be told.
type Settings struct {
	Version  string   // of jail-hook
	Farm     string   // the user's farm
	Roots    string   // the directory below which the farms of roots lie
	Known    string   // the file that lists the roots that are known
	Launcher string   // jail itself, for the functions of Strict
	Hook     string   // jail-hook itself, to bring the farms of roots up to date
	Probe    string   // a shim that is in the farm, to see that it can be run
	Names    []string // every name that is shimmed where it exists; at least one
	Strict   []string // names that get a function; none unless the user wants them
	Always   bool     // the farm stays on PATH outside of projects
	NoCd     bool     // cd, pushd and popd stay as they are (bash)
}

// Shells returns the names of the shells that have a hook, sorted.
func Shells() []string { return []string{"bash", "fish", "zsh"} }

// Init returns the code that loads the hook into a shell, and false for a shell
// without one.
func Init(name string, s Settings) (code string, ok bool) {
	switch name {
	case "bash":
		return s.comment() + s.assignments() + bashDetach + bashInit, true
	case "fish":
		return s.fish() + fishInit, true
	case "zsh":
		return s.comment() + zshEval(s.assignments()+zshInit), true
	}
	return "", false
}

// Uninit returns the code that takes out everything that Init's code put in. Where it
// was put in by another XDG_DATA_HOME, it is that one's which counts.
func Uninit(name string, s Settings) (code string, ok bool) {
	switch name {
	case "bash":
		return s.comment() + s.leaving() + bashDetach + bashUninit, true
	case "fish":
		return s.comment() + s.fishLeaving() + fishUninit, true
	case "zsh":
		return s.comment() + zshEval(s.leaving()+zshUninit), true
	}
	return "", false
}

// zshEval evaluates the hook's text, and the line before it, under zsh's own options
// and without the user's aliases.
func zshEval(text string) string {
	return "builtin emulate zsh -o no_aliases -c " + quote(text) + "\n"
}

// leaving are the assignments before what takes the hook out.
func (s Settings) leaving() string {
	return "if [[ -z ${__jail_farm-} ]]; then __jail_farm=" + quote(s.Farm) + " __jail_roots=" + quote(s.Roots) + "; fi\n"
}

// fishLeaving is leaving for fish.
func (s Settings) fishLeaving() string {
	return "set -q __jail_farm[1]; or set -g __jail_farm " + fishQuote(s.Farm) +
		"\nset -q __jail_roots[1]; or set -g __jail_roots " + fishQuote(s.Roots) + "\n"
}

// assignments are understood by bash and zsh. The first two are of a hook that was
// loaded before, by another XDG_DATA_HOME perhaps.
func (s Settings) assignments() string {
	return "__jail_was_farm=${__jail_farm-} __jail_was_roots=${__jail_roots-} __jail_farm=" + quote(s.Farm) + " __jail_roots=" + quote(s.Roots) + " __jail_list=" + quote(s.Known) +
		" __jail_launcher=" + quote(s.Launcher) + " __jail_hook=" + quote(s.Hook) + " __jail_probe=" + quote(s.Probe) +
		" __jail_names=(" + list(s.Names, quote) + ") __jail_strict=(" + list(s.strict(), quote) + ")" +
		" __jail_always=" + flag(s.Always) + " __jail_cd=" + flag(!s.NoCd) + "\n"
}

// fish is the lines of assignments before the hook's text.
func (s Settings) fish() string {
	return s.comment() +
		"set -g __jail_was $__jail_farm $__jail_roots\nset -g __jail_farm " + fishQuote(s.Farm) + "\nset -g __jail_roots " + fishQuote(s.Roots) +
		"\nset -g __jail_list " + fishQuote(s.Known) + "\nset -g __jail_launcher " + fishQuote(s.Launcher) + "\nset -g __jail_hook " + fishQuote(s.Hook) +
		"\nset -g __jail_probe " + fishQuote(s.Probe) + "\nset -g __jail_names " + list(s.Names, fishQuote) +
		"\nset -g __jail_strict " + list(s.strict(), fishQuote) +
		"\nset -g __jail_always " + flag(s.Always) + "\n"
}

// strict is Strict less what cannot be the name of a function in every shell, and
// what would come before a builtin: a function called test, and no script that is
// sourced works any more.
func (s Settings) strict() []string {
	return slices.DeleteFunc(slices.Clone(s.Strict), func(name string) bool {
		return name == "" || strings.Trim(name, plain) != "" || name[0] == '-' || isBuiltin(name)
	})
}

// plain are the letters that mean nothing to any shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-"

// comment is the first line of every hook. A version is never more than one line.
func (s Settings) comment() string {
	return "# jail-hook " + strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s.Version) + "\n"
}

func list(names []string, quote func(string) string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = quote(name)
	}
	return strings.Join(words, " ")
}

// fishQuote is quote for fish, where a backslash in single quotes is one only if
// it is doubled.
func fishQuote(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// quote returns text as one word of a POSIX shell. Nothing in single quotes means
// anything but itself, a newline included.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// flag is a boolean as the hooks test it: empty or not.
func flag(on bool) string {
	if on {
		return "1"
	}
	return "''"
}
