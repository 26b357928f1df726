package doctor

import (
	"slices"

	"jail/internal/sandbox/plan"
)

// A Level says how bad a finding is.
type Level string

// The levels.
const (
	Wrong Level = "wrong"
	Note  Level = "note"
)

// A Finding is one thing that somebody should know, and what to type about it.
type Finding struct {
	ID    string `json:"id"` // stays the same over versions
	Level Level  `json:"level"`
	Text  string `json:"text"`
	Fix   string `json:"fix,omitempty"` // to paste
}

// Facts are what there is to examine. A zero value is a thing that is not there.
type Facts struct {
	Shell     string // bash, fish, zsh; empty: another one, or nobody knows
	Startup   []File // of Shell, in the order of interest; the first is where a hook belongs
	Login     []File // what a login bash reads instead; the first that exists counts
	Profile   File   // /etc/profile
	Sudoers   File
	Sudo      bool   // sudo is installed
	Path      string // PATH
	Farm      Farm
	Names     []Name
	Uncovered []string // names that should have a shim, are found on PATH and have none
	Words     []Word   // what the shell said about its names
	Project   *Project // of the working directory
	Files     []string // regular files named .ai-jail at or above it
	Refused   *Problem // why the working directory can have no jail at all
	Problems  []Problem
	Kernel    plan.Kernel
	Host      Host
	Agents    []string // variables of agents that are set, sorted
	Models    []string // directories of models that the host does not have, and python would use
	Other     Other
	Stale     bool     // what the list of known roots says about jail_below is not what the configuration says
	Gone      []string // known roots without a marker, sorted
	Profiles  string   // the directory with the AppArmor profiles that we ship
}

// A File is a text that may not be there.
type File struct {
	Path   string
	Exists bool
	Text   string
}

// A Problem is an error that somebody else found, with its hint.
type Problem struct{ ID, Text, Hint string }

// A Farm is the state of the user's farm.
type Farm struct {
	Dir      string
	Exists   bool
	Faults   []string // what is wrong with its entries, in words
	Old      bool     // its launcher is not the one that is installed
	NoExec   bool     // it lies where nothing can be executed
	OnPath   bool     // somewhere on PATH
	First    bool     // it is the first entry; in a project a root's own farm is as good
	Spelling []string // other entries of PATH that are farms
}

// A Name is one that has a shim.
type Name struct {
	Name  string
	First string // what PATH finds; empty: nothing
	Shim  bool   // and it is a shim
}

// Examine returns everything that there is to say, what is wrong first.
func Examine(f Facts) []Finding {
	var found []Finding
	for _, check := range []func(*Facts) []Finding{
		problems, farm, hook, login, names, words, path, project, kernel, host, agents, other,
	} {
		found = append(found, check(&f)...)
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		switch {
		case a.Level == b.Level:
			return 0
		case a.Level == Wrong:
			return -1
		}
		return 1
	})
	return found
}

// Sick reports whether anything is wrong.
func Sick(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Level == Wrong })
}

// problems are errors that stop every command.
func problems(f *Facts) (found []Finding) {
	for _, p := range f.Problems {
		found = append(found, Finding{p.ID, Wrong, p.Text, p.Hint})
	}
	if p := f.Refused; p != nil {
		found = append(found, Finding{p.ID, Wrong, "every command here is refused: " + p.Text, p.Hint})
	}
	return found
}
