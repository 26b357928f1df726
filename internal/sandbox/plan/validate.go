package plan

import (
	"fmt"
	"path"
	"strings"
)

// Validate reports the first thing in p that no plan may have. Build makes none
// such; a plan made by hand or read from somewhere may.
func (p *Plan) Validate() error {
	if p.Process.Path == "" || p.Process.Path[0] != '/' {
		return fmt.Errorf("program %q is not an absolute path", p.Process.Path)
	}
	if len(p.Process.Args) == 0 {
		return fmt.Errorf("program %q has no arguments, not even its name", p.Process.Path)
	}
	for _, s := range append(append([]string{p.Process.Path, p.Process.Cwd}, p.Process.Args...), p.Process.Env...) {
		if strings.IndexByte(s, 0) >= 0 {
			return fmt.Errorf("%q holds a zero byte", s)
		}
	}
	for i := range p.Mounts {
		if err := p.validMount(i); err != nil {
			return fmt.Errorf("mount %q: %w", p.Mounts[i].Destination, err)
		}
	}
	return nil
}

func (p *Plan) validMount(i int) error {
	m := &p.Mounts[i]
	d := m.Destination
	switch {
	case d == "" || d[0] != '/' || d == "/" || path.Clean(d) != d:
		return fmt.Errorf("not a clean absolute path below /")
	case strings.IndexByte(d, 0) >= 0 || strings.IndexByte(m.Source, 0) >= 0:
		return fmt.Errorf("holds a zero byte")
	case m.Kind == Bind && (m.Source == "" || m.Source[0] != '/'):
		return fmt.Errorf("source %q is not absolute", m.Source)
	case m.Kind == Link && m.Source == "":
		return fmt.Errorf("a link to nothing")
	case m.Kind == Bind && m.ID.IsZero() && !m.Make:
		return fmt.Errorf("source %q was never looked at", m.Source)
	case Below(d, "/.jail") && m.Kind != File:
		return fmt.Errorf("%s is the jail's own", "/.jail")
	}
	return p.validOrder(i)
}

// validOrder checks that no mount hides one that came before it: that each path
// comes after its parents, and what hides or pins after what it lies in.
func (p *Plan) validOrder(i int) error {
	if i == 0 {
		return nil
	}
	m, before := &p.Mounts[i], &p.Mounts[i-1]
	c := ComparePaths(before.Destination, m.Destination)
	if c > 0 {
		return fmt.Errorf("comes after %q and would hide it", before.Destination)
	}
	if c == 0 && rank(before.Kind) >= rank(m.Kind) {
		return fmt.Errorf("is there twice")
	}
	return nil
}
