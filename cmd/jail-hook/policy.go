package main

import (
	"path/filepath"

	"jail/internal/config"
	"jail/internal/detect"
	"jail/internal/mask"
	"jail/internal/trust"
)

// The states of a configuration.
const (
	trustNone      = "none"      // there is no file
	trustNeedless  = "needless"  // it only tightens
	trustGiven     = "trusted"   //
	trustMissing   = "untrusted" // what it asks for is ignored
	trustUnusable  = "unusable"  // the marker is not one to believe
	trustUnchecked = "unreadable"
)

// A consent says how one configuration of a project is taken.
type consent struct {
	File   string   `json:"file"`
	State  string   `json:"state"`
	Why    string   `json:"why,omitempty"`
	SHA256 string   `json:"sha256,omitempty"`
	Asks   []string `json:"asks,omitempty"` // what only a trusted one may say, in words
}

func (c consent) String() string {
	switch c.State {
	case trustNone:
		return "there is no " + c.File
	case trustNeedless:
		return c.File + " asks for nothing that needs trust"
	case trustGiven:
		return c.File + " is trusted, until it changes"
	case trustMissing:
		return c.File + " is not trusted, so this is ignored (jail-hook trust):"
	}
	return c.File + " is ignored: " + c.Why
}

// trusted looks at the configuration of each marker, from the outermost in.
func (u *user) trusted(project detect.Project) []consent {
	all := []consent{}
	for _, m := range project.Markers {
		c := consent{File: filepath.Join(m.Dir, ".ai-jail", "config.toml")}
		if m.Usable {
			u.judge(&c, m.Dir)
		} else {
			c.State, c.Why = trustUnusable, m.Why
		}
		all = append(all, c)
	}
	return all
}

func (u *user) judge(c *consent, dir string) {
	fail := func(err error) { c.State, c.Why = trustUnchecked, err.Error() }
	f, err := config.ReadProject(dir, u.uid)
	if err != nil {
		fail(err)
		return
	}
	if f == nil {
		c.State = trustNone
		return
	}
	asks, err := config.Asks(u.configInput(), dir, f)
	if err != nil {
		fail(err)
		return
	}
	files := []trust.File{{Name: f.Name, Data: f.Data}}
	if c.SHA256, err = trust.Sum(dir, files); err != nil {
		fail(err)
		return
	}
	for _, a := range asks {
		c.Asks = append(c.Asks, a.String())
	}
	given, err := u.consents().Allowed(dir, files)
	switch {
	case len(asks) == 0:
		c.State = trustNeedless
	case err != nil:
		fail(err)
	case given:
		c.State = trustGiven
	default:
		c.State = trustMissing
	}
}

// load merges the configuration as a command without a table of its own has it.
func (u *user) load(project detect.Project) (*config.Result, error) {
	in := u.configInput()
	in.UserFile, in.Builtin = u.configFile(), mask.Builtin()
	in.IsSet = u.isSet
	in.Trusted = func(dir, name string, data []byte) (bool, error) {
		return u.consents().Allowed(dir, []trust.File{{Name: name, Data: data}})
	}
	if u.home != "" {
		in.OtherFile = filepath.Join(u.home, ".ai-jail")
	}
	for _, m := range project.Markers {
		in.Projects = append(in.Projects, config.ProjectFile{Dir: m.Dir, Usable: m.Usable, Why: m.Why})
	}
	return config.Load(in)
}
