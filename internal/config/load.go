package config

import (
	"slices"
	"strings"

	"github.com/knadh/koanf/parsers/toml/v2"

	"jail/internal/sandbox/plan"
)

// An Input is everything that a policy is made of.
type Input struct {
	UserFile  string        // $XDG_CONFIG_HOME/jail/config.toml; empty: none
	OtherFile string        // ~/.ai-jail, which another tool may have written; empty: none
	Projects  []ProjectFile // from the outermost marker in
	Homes     []string      // the home that passwd names first, then $HOME where it differs
	Cwd       string        // physical; what a flag's paths are relative to
	UID       uint32        // the caller's, effective
	Command   Command
	Flags     Flags

	Builtin      []plan.Pattern             // the patterns that hold where nobody said anything
	CheckPattern func(text string) error    // what is wrong with a pattern; may be nil
	IsSet        func(variable string) bool // a variable is set and not empty; may be nil
	LooksSecret  func(variable string) bool // its value must not be seen in ps; may be nil

	// Trusted reports whether the user consents to these very bytes below this
	// directory's marker. It is asked only where consent would make a difference.
	// Nil trusts nothing.
	Trusted func(dir, name string, data []byte) (bool, error)
}

// A ProjectFile is a marker that may hold a configuration.
type ProjectFile struct {
	Dir    string // the directory that holds .ai-jail; physical and absolute
	Usable bool   // the marker is one to believe
	Why    string // where it is not: what is wrong with it
}

// A Command decides which tables [commands.NAME] apply.
type Command struct {
	Preset string   // the name whose family it belongs to: npm for npx
	Args   []string // as typed
}

// A Result is a policy and where it comes from.
type Result struct {
	Policy  plan.Policy
	Files   []string // the configurations that were read, in order
	Ignored []Ask    // what was asked for without trust, by all files together
	Other   []string // keys of OtherFile that were not taken, sorted
}

// Load merges all layers. What is wrong with one of them is an *Error.
func Load(in Input) (*Result, error) {
	l := loader{in: in, state: initial(in.Builtin)}
	if err := l.user(); err != nil {
		return nil, err
	}
	l.other()
	for i, p := range in.Projects {
		if err := l.project(p, i == len(in.Projects)-1); err != nil {
			return nil, err
		}
	}
	l.state.variables(in.IsSet)
	if err := l.flags(); err != nil {
		return nil, err
	}
	l.state.settle()
	l.result.Policy = l.state.policy()
	return &l.result, nil
}

// A loader is one Load under way.
type loader struct {
	in     Input
	state  *state
	result Result
}

func (l *loader) user() error {
	if l.in.UserFile == "" {
		return nil
	}
	f, err := readUser(l.in.UserFile, l.in.UID)
	if f == nil {
		return err
	}
	found, err := l.read(f, l.in.scene(l.state.known, layerUser, f.Path, ""))
	if err != nil {
		return err
	}
	l.state.merge(found, l.in.Command, true)
	return nil
}

// project merges one project's file. It is merged without trust first: only where
// that leaves something out is consent looked up, and it is merged again if given.
func (l *loader) project(p ProjectFile, nearest bool) error {
	if !p.Usable {
		l.state.notes = append(l.state.notes, unusable(p))
		return nil
	}
	f, err := ReadProject(p.Dir, l.in.UID)
	if f == nil {
		return err
	}
	found, err := l.read(f, l.in.scene(l.state.known, layerProject, f.Path, p.Dir))
	if err != nil {
		return err
	}
	strict := l.state.clone()
	strict.merge(found, l.in.Command, false)
	if len(strict.ignored) == 0 {
		l.state = strict
		return nil
	}
	trusted, err := l.trusted(p.Dir, f)
	if err != nil {
		return err
	}
	if trusted {
		l.state.merge(found, l.in.Command, true)
		return nil
	}
	l.state = strict
	here := nearest && within(l.in.Cwd, p.Dir)
	l.state.notes = append(l.state.notes, untrusted(f.Path, p.Dir, here, strict.ignored))
	l.result.Ignored = append(l.result.Ignored, strict.ignored...)
	return nil
}

func (l *loader) trusted(dir string, f *File) (bool, error) {
	if l.in.Trusted == nil {
		return false, nil
	}
	return l.in.Trusted(dir, f.Name, f.Data)
}

func (in *Input) scene(known []key, layer, file, base string) *scene {
	return &scene{known: known, layer: layer, file: file, base: base, homes: in.Homes, check: in.CheckPattern}
}

func (l *loader) read(f *File, s *scene) ([]entry, error) {
	l.result.Files = append(l.result.Files, f.Path)
	return parse(f, s)
}

// parse reads the entries of one file, with koanf's parser. The rest of koanf
// would merge maps, which keep neither the lines nor whom to trust, and costs
// every launch more than Landlock does (docs/adr/0011).
func parse(f *File, s *scene) ([]entry, error) {
	raw, err := toml.Parser().Unmarshal(f.Data)
	if err != nil {
		return nil, syntax(f, err)
	}
	d := decoder{scene: s, lines: findLines(f.Data)}
	return d.decode(raw)
}

// merge applies the entries that concern one command, the general ones first.
func (s *state) merge(found []entry, c Command, trusted bool) {
	depth := func(e entry) int { return c.matches(e.command) }
	var mine []entry
	for _, e := range found {
		if depth(e) >= 0 {
			mine = append(mine, e)
		}
	}
	slices.SortStableFunc(mine, func(a, b entry) int { return depth(a) - depth(b) })
	for _, e := range mine {
		s.apply(e, trusted)
	}
}

// matches says how closely the words of [commands.WORDS] describe the command: 0
// for no words, which is every command, 1 for its family, 2 for its own name, and
// one more for each word after that. -1 is another command.
func (c Command) matches(words []string) int {
	switch {
	case len(words) == 0:
		return 0
	case len(c.Args) == 0 || len(words) > len(c.Args):
		return -1
	}
	name := c.Args[0][strings.LastIndexByte(c.Args[0], '/')+1:]
	switch {
	case name == words[0] && slices.Equal(words[1:], c.Args[1:len(words)]):
		return 1 + len(words)
	case len(words) == 1 && words[0] == c.Preset:
		return 1
	}
	return -1
}

func joined(words []string) string { return strings.Join(words, " ") }
