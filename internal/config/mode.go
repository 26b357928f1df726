package config

import (
	"fmt"

	"jail/internal/sandbox/plan"
)

// initial is the state before anybody has said anything.
func initial(builtin []plan.Pattern) *state {
	known := keys()
	s := &state{known: known, choices: make([]choice, len(known)), workerEnv: []string{"HERMES_KANBAN_TASK"}}
	for _, p := range builtin {
		if p.Action == plan.ActMask {
			s.mask = append(s.mask, p)
		} else {
			s.deny = append(s.deny, p)
		}
	}
	for i := range known {
		if known[i].choice() {
			s.choices[i] = choice{known[i].start(), plan.Reason{Layer: layerBuiltIn, Text: "default"}}
		}
	}
	return s
}

// start is the value of a choice that nobody has made.
func (k *key) start() string {
	switch k.name {
	case "mode", "env_policy", "network", "gpu", "strict":
		return k.order[len(k.order)-1]
	case "cache":
		return unset
	}
	return k.order[0]
}

// usual is the word for what holds where nobody chose anything.
func (k *key) usual() string {
	if start := k.start(); start != unset {
		return start
	}
	return plan.CacheProject
}

// variables moves to mode worker where a variable says that this is an agent's
// disposable task. It can only tighten: a variable is no consent.
func (s *state) variables(isSet func(string) bool) {
	if isSet == nil {
		return
	}
	for _, name := range s.workerEnv {
		if isSet(name) {
			why := plan.Reason{Layer: layerVariable, Text: name + " is set"}
			s.apply(entry{key: find(s.known, "mode"), value: string(plan.Worker), reason: why}, false)
		}
	}
	s.ignored = nil // a mode that is stricter already
}

// A limit is what a mode makes of one choice.
type limit struct{ key, value string }

// limits are what a mode turns off, whatever the files say.
func limits(mode string) []limit {
	worker := []limit{{"gpu", "false"}, {"docker", "false"}, {"display", "false"}, {"ssh", "false"}, {"env_policy", "listed"}}
	switch plan.Mode(mode) {
	case plan.Worker:
		return worker
	case plan.Lockdown:
		return append(worker, limit{"network", "off"}, limit{"cache", plan.CacheNone}, limit{"userns", "false"}, limit{"nested", "false"}, limit{"ptrace", "false"})
	}
	return nil
}

// settle turns off what the mode forbids. Only a flag of this command line holds
// against the mode, and then a Note says so.
func (s *state) settle() {
	mode := s.of("mode").value
	for _, l := range limits(mode) {
		k, c := find(s.known, l.key), s.of(l.key)
		switch {
		case k.rank(c.value) <= k.rank(l.value):
		case c.reason.Layer == layerFlag:
			s.loosened(mode, c.reason)
		default:
			*c = choice{l.value, s.forced(mode)}
		}
	}
	if plan.Mode(mode) == plan.Lockdown {
		s.demote(mode)
	}
}

// demote makes what files map as writable read-only: in lockdown nothing on the
// host can be written.
func (s *state) demote(mode string) {
	kept := []plan.Map(nil)
	for _, m := range s.writable {
		if m.Reason.Layer == layerFlag {
			s.loosened(mode, m.Reason)
			kept = append(kept, m)
			continue
		}
		m.Reason.Text += " (read-only: mode " + mode + ")"
		s.readOnly = append(s.readOnly, m)
	}
	s.writable = kept
}

func (s *state) forced(mode string) plan.Reason {
	why := s.of("mode").reason
	why.Text = "mode " + mode + ": " + why.Text
	return why
}

func (s *state) loosened(mode string, why plan.Reason) {
	s.notes = append(s.notes, plan.Note{Text: fmt.Sprintf("%s loosens mode %s", why.Text, mode), Reason: why})
}
