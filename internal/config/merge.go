package config

import (
	"slices"

	"jail/internal/sandbox/plan"
)

// The layers, as plan.Reason names them.
const (
	layerBuiltIn  = "built in"
	layerUser     = "user"
	layerProject  = "project"
	layerVariable = "variable"
	layerFlag     = "flag"
)

// A choice is the value of a key and who chose it.
type choice struct {
	value  string
	reason plan.Reason
}

// A state is what the layers so far have said.
type state struct {
	known     []key
	choices   []choice // one for each key, in the same order
	mask      []plan.Pattern
	deny      []plan.Pattern
	readOnly  []plan.Map
	writable  []plan.Map
	env       []plan.EnvRule
	shims     []plan.Shim
	noShims   []string
	workerEnv []string
	below     []string
	notes     []plan.Note
	ignored   []Ask // of the layer being merged
}

// An Ask is a line of a project's file that only a trusted one may say.
type Ask struct {
	Reason  plan.Reason // where it stands
	Command string      // of [commands.NAME]; empty: all commands
	Words   string      // what it asks for: read and write "~/x"
}

// clone returns a state that grows without touching s.
func (s *state) clone() *state {
	c := *s
	c.choices = slices.Clone(s.choices)
	c.mask, c.deny = slices.Clip(s.mask), slices.Clip(s.deny)
	c.readOnly, c.writable = slices.Clone(s.readOnly), slices.Clone(s.writable)
	c.env, c.shims, c.noShims = slices.Clip(s.env), slices.Clip(s.shims), slices.Clip(s.noShims)
	c.notes, c.ignored = slices.Clip(s.notes), nil
	return &c
}

// apply merges one entry. It is the law of this package: what is not trusted
// moves a choice only towards its strict end, and adds only what hides.
//
// Exceptions are refused whatever they name, so that every pattern of an
// untrusted file hides; and masks and denies are kept apart, so that no mask can
// come after a deny and turn "cannot be opened" into "reads as empty".
func (s *state) apply(e entry, trusted bool) {
	k := e.key
	switch {
	case k.choice():
		s.choose(e, trusted)
	case k.kind == patternList && (trusted || !k.except):
		s.hide(e)
	case trusted:
		s.add(e)
	default:
		s.ignored = append(s.ignored, e.asks()...)
	}
}

func (s *state) choose(e entry, trusted bool) {
	now := s.of(e.key.name)
	had, wanted := e.key.rank(now.value), e.key.rank(e.value)
	switch {
	case trusted || wanted < had:
		*now = choice{e.value, e.reason}
	case wanted > had:
		s.ignored = append(s.ignored, e.asks()...)
	}
}

// of returns the choice for a key, which must be known.
func (s *state) of(name string) *choice {
	return &s.choices[slices.IndexFunc(s.known, func(k key) bool { return k.name == name })]
}

func (s *state) hide(e entry) {
	if e.key.action == plan.ActMask {
		s.mask = append(s.mask, e.patterns...)
	} else {
		s.deny = append(s.deny, e.patterns...)
	}
}

// add merges a list that only a trusted layer may extend.
func (s *state) add(e entry) {
	switch e.key.name {
	case "ro":
		s.place(&s.readOnly, e.maps)
	case "rw":
		s.place(&s.writable, e.maps)
	case "env":
		s.env = append(s.env, e.env...)
	case "shims":
		s.shims = append(s.shims, e.names...)
	case "shims_except":
		for _, n := range e.names {
			s.noShims = append(s.noShims, n.Name)
		}
	case "worker_env": // a list to replace: the user may want none
		s.workerEnv = nil
		for _, n := range e.names {
			s.workerEnv = append(s.workerEnv, n.Name)
		}
	case "jail_below":
		for _, n := range e.names {
			s.below = append(s.below, n.Name)
		}
	}
}

// place adds maps to a list. A later map of the same destination replaces an
// earlier one in both lists: rw in a file and --ro on the command line means ro.
func (s *state) place(list *[]plan.Map, added []plan.Map) {
	for _, m := range added {
		same := func(o plan.Map) bool { return o.Destination == m.Destination }
		s.readOnly = slices.DeleteFunc(s.readOnly, same)
		s.writable = slices.DeleteFunc(s.writable, same)
		*list = append(*list, m)
	}
}

// asks says what an entry asks for beyond what an untrusted file may say, one Ask
// for each thing. It does not look at what others have chosen.
func (e entry) asks() []Ask {
	var out []Ask
	ask := func(value string, why plan.Reason) {
		out = append(out, Ask{Reason: why, Command: joined(e.command), Words: e.key.asks(value)})
	}
	switch {
	case e.key.choice():
		if e.key.rank(e.value) > 0 {
			ask(e.value, e.reason)
		}
	case e.key.kind == patternList && !e.key.except:
	default:
		for _, p := range e.patterns {
			ask(p.Text, p.Reason)
		}
		for _, m := range e.maps {
			ask(mapText(m), m.Reason)
		}
		for _, v := range e.env {
			ask(v.Name, v.Reason)
		}
		for _, n := range e.names {
			ask(n.Name, n.Reason)
		}
	}
	return out
}

// mapText shows both ends of a map where they differ: a harmless destination must
// not hide the source.
func mapText(m plan.Map) string {
	if m.Source == m.Destination {
		return m.Source
	}
	return m.Source + " as " + m.Destination
}
