package config

import (
	"fmt"
	"slices"
	"strings"

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
		UserNS: is("userns"), Nested: is("nested"), Strict: is("strict"),
		NoLandlock: is("no_landlock"), Cache: s.of("cache").value,
		Shims: s.shims, WorkerEnv: s.workerEnv, Below: s.below, Notes: s.notes,
	}
	if s.of("network").value == "off" {
		p.Network = plan.NetworkNone
	}
	if p.NoLandlock {
		p.LandlockReason = s.of("no_landlock").reason
	}
	for i, k := range s.known {
		if c := s.choices[i]; k.choice() && c.reason.Layer != layerBuiltIn {
			p.Settings = append(p.Settings, plan.Setting{Key: k.name, Value: c.value, Reason: c.reason})
		}
	}
	return p
}

// Asks lists what a project's file asks for that only a trusted one may say, for
// every command, in the order in which it is merged. It is the whole of what
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
	return out, nil
}

// String is an Ask as a sentence tells it.
func (a Ask) String() string {
	text := a.Words
	if a.Command != "" {
		text += " for " + quote(a.Command)
	}
	return fmt.Sprintf("%s (line %d)", text, a.Reason.Line)
}

// untrusted says what was left out of a file and how to let it in.
func untrusted(file, dir string, nearest bool, asks []Ask) plan.Note {
	const most = 5
	var parts []string
	for _, a := range asks[:min(most, len(asks))] {
		parts = append(parts, a.String())
	}
	if more := len(asks) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	hint := "jail-hook trust"
	if !nearest {
		hint = paste(hint, dir)
	}
	return plan.Note{
		Text:   printable(file) + " is not trusted, so this is ignored: " + strings.Join(parts, ", "),
		Hint:   hint,
		Reason: plan.Reason{Layer: layerProject, File: file},
	}
}

func unusable(p ProjectFile) plan.Note {
	why := p.Why
	if why == "" {
		why = "it is not one to believe"
	}
	return plan.Note{
		Text:   fmt.Sprintf("the configuration in %s is ignored: %s", quote(p.Dir), printable(why)),
		Reason: plan.Reason{Layer: layerProject, File: p.Dir},
	}
}
