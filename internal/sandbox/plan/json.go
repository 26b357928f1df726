package plan

import (
	"encoding/json"
	"io"
)

// The types below are what --json prints. They are apart from the plan's own, so
// that renaming a field in the code does not break anybody's script.
type jsonPlan struct {
	Mode       string           `json:"mode"`
	ModeReason string           `json:"mode_reason"`
	Root       jsonRoot         `json:"root"`
	Program    string           `json:"program"`
	Args       []string         `json:"args"`
	Cwd        string           `json:"cwd"`
	Namespaces []Namespace      `json:"namespaces"`
	Mounts     []jsonMount      `json:"mounts"`
	Open       []jsonOpen       `json:"open"`
	Environ    jsonEnviron      `json:"environment"`
	Landlock   *jsonLandlock    `json:"landlock"`
	Seccomp    []string         `json:"seccomp"`
	Limits     []jsonLimit      `json:"limits"`
	Keep       []jsonDescriptor `json:"descriptors"`
	Notes      []jsonNote       `json:"notes"`
}

type jsonRoot struct {
	Path   string `json:"path"`
	As     string `json:"as,omitempty"`
	Marker bool   `json:"marker"`
	Why    string `json:"why"`
}

type jsonMount struct {
	Kind        Kind   `json:"kind"`
	Access      string `json:"access"`
	Source      string `json:"source,omitempty"`
	Destination string `json:"destination"`
	Reason      string `json:"reason"`
}

type jsonOpen struct {
	Path    string `json:"path"`
	Pattern string `json:"pattern"`
	Why     string `json:"why"`
}

type jsonEnviron struct {
	Passed  []string      `json:"passed"`
	Changed []string      `json:"changed"`
	Dropped []jsonDropped `json:"dropped"`
}

type jsonDropped struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

type jsonLandlock struct {
	ABI          int        `json:"abi"`
	ScopeSignals bool       `json:"scope_signals"`
	ScopeSockets bool       `json:"scope_abstract_sockets"`
	Rules        []jsonRule `json:"rules"`
}

type jsonRule struct {
	Path   string `json:"path,omitempty"`
	FD     *int   `json:"descriptor,omitempty"`
	Access Access `json:"access"`
}

type jsonLimit struct {
	Name string `json:"name"`
	Soft uint64 `json:"soft"`
	Hard uint64 `json:"hard"`
}

type jsonDescriptor struct {
	FD   int    `json:"fd"`
	Type Type   `json:"type"`
	Why  string `json:"why"`
}

type jsonNote struct {
	Text   string `json:"text"`
	Hint   string `json:"hint,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// WriteJSON prints p as one JSON object: what --dry-run --json shows. Lists that
// are empty are [] and not null.
func (p *Plan) WriteJSON(w io.Writer, seccomp []string) error {
	j := jsonPlan{
		Mode: string(p.Mode), ModeReason: p.ModeReason.String(),
		Root:    jsonRoot{p.Root.Path, p.Root.As, p.Root.Marker, p.Root.Why},
		Program: p.Process.Path, Args: p.Process.Args, Cwd: p.Process.Cwd,
		Namespaces: p.Namespaces, Seccomp: nonNil(seccomp),
		Mounts: []jsonMount{}, Open: []jsonOpen{}, Limits: []jsonLimit{}, Keep: []jsonDescriptor{}, Notes: []jsonNote{},
		Environ: jsonEnviron{nonNil(p.Environ.Kept), nonNil(p.Environ.Changed), []jsonDropped{}},
	}
	for i := range p.Mounts {
		m := &p.Mounts[i]
		a := access(m)
		if m.Kind == Mask || m.Kind == Deny {
			a = "none"
		}
		j.Mounts = append(j.Mounts, jsonMount{m.Kind, a, m.Source, m.Destination, m.Reason.String()})
	}
	p.fillJSON(&j)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(j)
}

func (p *Plan) fillJSON(j *jsonPlan) {
	for _, o := range p.Open {
		j.Open = append(j.Open, jsonOpen(o))
	}
	for _, d := range p.Environ.Dropped {
		j.Environ.Dropped = append(j.Environ.Dropped, jsonDropped(d))
	}
	for _, l := range p.Rlimits {
		j.Limits = append(j.Limits, jsonLimit{l.Name, l.Soft, l.Hard})
	}
	for _, d := range p.Keep {
		j.Keep = append(j.Keep, jsonDescriptor{d.FD, d.Type, d.Why})
	}
	for _, n := range p.Notes {
		j.Notes = append(j.Notes, jsonNote{n.Text, n.Hint, n.Reason.String()})
	}
	if p.Landlock == nil {
		return
	}
	l := &jsonLandlock{ABI: p.Landlock.ABI, ScopeSignals: p.Landlock.ScopeSignals, ScopeSockets: p.Landlock.ScopeSockets, Rules: []jsonRule{}}
	for _, r := range p.Landlock.Rules {
		jr := jsonRule{Path: r.Path, Access: r.Access}
		if r.Path == "" {
			jr.FD = &r.FD
		}
		l.Rules = append(l.Rules, jr)
	}
	j.Landlock = l
}

func nonNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
