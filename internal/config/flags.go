package config

import "jail/internal/sandbox/plan"

// Flags are what was typed before the command. A nil boolean and an empty string
// were not typed.
type Flags struct {
	Mode    plan.Mode
	Network string // on, off
	Cache   string // none, project, shared, host

	Mask, MaskExcept []string
	Deny, DenyExcept []string
	RO, RW           []string
	Env              []string

	GPU, Docker, Display, SSH                  *bool
	UserNS, Nested, Ptrace, NoLandlock, Strict *bool
}

// flags merges what was typed. It may loosen everything: nobody else can type.
func (l *loader) flags() error {
	raw := l.in.Flags.raw()
	if len(raw) == 0 {
		return nil
	}
	s := l.in.scene(l.state.known, layerFlag, "", l.in.Cwd)
	s.ps = l.in.LooksSecret
	found, err := (&decoder{scene: s}).decode(raw)
	if err != nil {
		return err
	}
	l.state.merge(found, Command{}, true)
	return nil
}

// raw gives the flags the shape of a file, so that one decoder reads both.
func (f Flags) raw() map[string]any {
	out := map[string]any{}
	f.words(out)
	f.lists(out)
	f.booleans(out)
	return out
}

func (f Flags) words(out map[string]any) {
	word := func(key, v string) {
		if v != "" {
			out[key] = v
		}
	}
	word("mode", string(f.Mode))
	word("network", f.Network)
	word("cache", f.Cache)
}

func (f Flags) lists(out map[string]any) {
	list := func(key string, v []string) {
		if len(v) > 0 {
			all := make([]any, len(v))
			for i := range v {
				all[i] = v[i]
			}
			out[key] = all
		}
	}
	list("mask", f.Mask)
	list("mask_except", f.MaskExcept)
	list("deny", f.Deny)
	list("deny_except", f.DenyExcept)
	list("ro", f.RO)
	list("rw", f.RW)
	list("env", f.Env)
}

func (f Flags) booleans(out map[string]any) {
	boolean := func(key string, v *bool) {
		if v != nil {
			out[key] = *v
		}
	}
	boolean("gpu", f.GPU)
	boolean("docker", f.Docker)
	boolean("display", f.Display)
	boolean("ssh", f.SSH)
	boolean("userns", f.UserNS)
	boolean("nested", f.Nested)
	boolean("ptrace", f.Ptrace)
	boolean("no_landlock", f.NoLandlock)
	boolean("strict", f.Strict)
}
