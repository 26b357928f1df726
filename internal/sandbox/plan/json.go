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
	Identity   jsonIdentity     `json:"identity"`
	Timeout    *float64         `json:"timeout"`
	Home       string           `json:"temporary_home,omitempty"`
	Namespaces []Namespace      `json:"namespaces"`
	Network    Network          `json:"network"`
	Mounts     []jsonMount      `json:"mounts"`
	Open       []jsonOpen       `json:"open"`
	Environ    jsonEnviron      `json:"environment"`
	Landlock   *jsonLandlock    `json:"landlock"`
	Seccomp    []string         `json:"seccomp"`
	Limits     []jsonLimit      `json:"limits"`
	Keep       []jsonDescriptor `json:"descriptors"`
	Weakened   []jsonWeakened   `json:"weakened"`
	Notes      []jsonNote       `json:"notes"`
}

type jsonIdentity struct {
	UID uint32 `json:"uid"`
	GID uint32 `json:"gid"`
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
	Backing     string `json:"backing"`
	Source      string `json:"source,omitempty"`
	Destination string `json:"destination"`
	Pattern     string `json:"pattern,omitempty"`
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
	Name   string `json:"name"`
	Soft   uint64 `json:"soft"`
	Hard   uint64 `json:"hard"`
	Reason string `json:"reason,omitempty"`
}

type jsonDescriptor struct {
	FD   int    `json:"fd"`
	Type Type   `json:"type"`
	Why  string `json:"why"`
}

type jsonWeakened struct {
	Text string `json:"text"`
	By   string `json:"by"`
}

type jsonNote struct {
	Text    string   `json:"text"`
	Details []string `json:"details,omitempty"`
	Hint    string   `json:"hint,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

// WriteJSON prints p as one JSON object: what --dry-run --json shows. Lists that
// are empty are [] and not null.
func (p *Plan) WriteJSON(w io.Writer, seccomp []string) error {
	j := jsonPlan{
		Mode: string(p.Mode), ModeReason: p.ModeReason.String(),
		Root:    jsonRoot{p.Root.Path, p.Root.As, p.Root.Marker, p.Root.Why},
		Program: p.Process.Path, Args: p.Process.Args, Cwd: p.Process.Cwd, Home: p.Process.Home,
		Identity:   jsonIdentity{p.Owner.UID, p.Owner.GID},
		Namespaces: p.Namespaces, Network: p.network(), Seccomp: nonNil(seccomp),
		Mounts: []jsonMount{}, Open: []jsonOpen{}, Limits: []jsonLimit{}, Keep: []jsonDescriptor{},
		Weakened: []jsonWeakened{}, Notes: []jsonNote{},
		Environ: jsonEnviron{nonNil(p.Environ.Kept), nonNil(p.Environ.Changed), []jsonDropped{}},
	}
	for i := range p.Mounts {
		m := &p.Mounts[i]
		j.Mounts = append(j.Mounts, jsonMount{m.Kind, access(m), backing(m), m.Source, m.Destination, m.Pattern, m.Reason.String()})
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
		j.Limits = append(j.Limits, jsonLimit{l.Name, l.Soft, l.Hard, l.Reason.String()})
	}
	for _, d := range p.Keep {
		j.Keep = append(j.Keep, jsonDescriptor{d.FD, d.Type, d.Why})
	}
	for _, r := range p.Weakened {
		j.Weakened = append(j.Weakened, jsonWeakened{r.Text, r.who()})
	}
	for _, n := range p.Notes {
		j.Notes = append(j.Notes, jsonNote{n.Text, n.Details, n.Hint, n.Reason.String()})
	}
	if p.Timeout > 0 {
		s := float64(p.Timeout) / 1000
		j.Timeout = &s
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
