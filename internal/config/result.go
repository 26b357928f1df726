package config

import (
	"fmt"
	"slices"

	"jail/internal/sandbox/plan"
)

// policy is the state in the words of package plan.
func (s *state) policy() plan.Policy {
	is := func(key string) bool { return s.of(key).value == "true" }
	p := plan.Policy{
		Mode: plan.Mode(s.of("mode").value), ModeReason: s.of("mode").reason,
		Mask:     slices.Concat(s.mask, s.deny),
		ReadOnly: s.readOnly, Writable: s.writable,
		Env: s.env, EnvListed: s.of("env_policy").value == "listed",
		Network: plan.NetworkHost,
		GPU:     is("gpu"), Docker: is("docker"), Display: is("display"), SSH: is("ssh"),
		UserNS: is("userns"), Nested: is("nested"), Ptrace: is("ptrace"), Strict: is("strict"),
		NoLandlock: is("no_landlock"), Cache: s.of("cache").value,
		Shims: s.shims, ShimsExcept: s.noShims, WorkerEnv: s.workerEnv, Below: s.below, Notes: s.notes,
	}
	if s.of("network").value == "off" {
		p.Network = plan.NetworkNone
	}
	switch {
	case p.NoLandlock:
		p.LandlockReason = s.of("no_landlock").reason
	case p.Nested:
		p.LandlockReason = s.of("nested").reason
	}
	p.Weakened = s.weakened()
	for i, k := range s.known {
		if c := s.choices[i]; k.choice() && c.reason.Layer != layerBuiltIn {
			p.Settings = append(p.Settings, plan.Setting{Key: k.name, Value: c.value, Reason: c.reason})
		}
	}
	return p
}

// ProjectShims returns the names that a project's trusted file wants shimmed.
func ProjectShims(p plan.Policy) []string {
	var names []string
	for _, s := range p.Shims {
		if s.Reason.Layer == layerProject {
			names = append(names, s.Name)
		}
	}
	return names
}

// Asks lists what a project's file asks for that only a trusted one may say, for
// every command, in the order of its lines. It is the whole of what
// consent would allow, whatever other layers say today.
func Asks(in Input, dir string, f *File) ([]Ask, error) {
	found, err := parse(f, in.scene(keys(), layerProject, f.Path, dir))
	if err != nil {
		return nil, err
	}
	var out []Ask
	for _, e := range found {
		out = append(out, e.asks()...)
	}
	inOrder(out)
	return out, nil
}

func inOrder(asks []Ask) {
	slices.SortStableFunc(asks, func(a, b Ask) int { return a.Reason.Line - b.Reason.Line })
}

// String is an Ask as a sentence tells it.
func (a Ask) String() string {
	text := a.Words
	if a.Command != "" {
		text += " for " + quote(a.Command)
	}
	return fmt.Sprintf("%s (line %d)", text, a.Reason.Line)
}

// weakened lists what files and flags allow beyond what is built in: choices first,
// then exceptions, maps and variables.
func (s *state) weakened() []plan.Reason {
	var out []plan.Reason
	for i, k := range s.known {
		if c := s.choices[i]; k.choice() && k.rank(c.value) > k.rank(k.start()) {
			out = append(out, c.reason)
		}
	}
	for _, p := range slices.Concat(s.mask, s.deny) {
		if p.Except && p.Reason.Layer != layerBuiltIn && p.Reason.Layer != "" {
			out = append(out, p.Reason)
		}
	}
	for _, m := range slices.Concat(s.readOnly, s.writable) {
		out = append(out, m.Reason)
	}
	for _, e := range s.env {
		out = append(out, e.Reason)
	}
	return out
}

// untrusted says in one line that a file was not followed whole, and how it would
// be; a dry run says what was left out, in the order of the file.
func untrusted(file, dir string, here bool, asks []Ask) plan.Note {
	inOrder(asks)
	n := plan.Note{Stricter: true, Reason: plan.Reason{Layer: layerProject}}
	for _, a := range asks {
		n.Details = append(n.Details, a.String())
	}
	command := "jail-hook trust"
	if !here {
		command += " " + plan.Word(dir)
	}
	what := "a request in it is ignored"
	if len(asks) > 1 {
		what = fmt.Sprintf("%d requests in it are ignored", len(asks))
	}
	n.Text = fmt.Sprintf("%s is not trusted, so %s: %s", plan.Quote(file), what, command)
	return n
}

func unusable(p ProjectFile) plan.Note {
	why := p.Why
	if why == "" {
		why = "it is not one to believe"
	}
	return plan.Note{
		Text:     fmt.Sprintf("the configuration in %s is ignored: %s", quote(p.Dir), printable(why)),
		Stricter: true,
		Reason:   plan.Reason{Layer: layerProject},
	}
}
