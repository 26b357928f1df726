package plan

// An Explanation says what a command sees at a path, before links in it are
// followed.
type Explanation struct {
	Path   string
	Access string // in words
	Shown  bool   // the command sees there what the host has, or what jail wrote
	Wide   bool   // something further down is shown, and this itself is not
	Mount  *Mount // what decides; nil: nothing is mounted at it or above
}

// Explain says what the command sees at path, which is clean and absolute, and by
// whose word.
func (p *Plan) Explain(path string) Explanation {
	e := Explanation{Path: path}
	holds := false // something is mounted below
	for i := range p.Mounts {
		switch m := &p.Mounts[i]; {
		case Below(path, m.Destination):
			e.Mount = m // parents come first, so the last is the nearest
		case Below(m.Destination, path):
			holds = true
		}
	}
	e.Access, e.Shown = e.words(holds)
	e.Wide = holds && !e.Shown
	return e
}

func (e *Explanation) words(holds bool) (access string, shown bool) {
	const only = "a directory, with nothing in it but what is shown further down"
	m := e.Mount
	switch {
	case m == nil && holds:
		return only, false
	case m == nil:
		return "none: it is not there", false
	case m.hides() && m.Destination != e.Path:
		return "none: what it lies in is hidden", false
	case m.Kind == Mask:
		return "it reads as empty", false
	case m.Kind == Deny:
		return "none: to open it is refused (EACCES)", false
	case m.Kind == Tmpfs && m.Destination == e.Path && m.ReadOnly:
		return "an empty directory, read-only", false
	case (m.Kind == Tmpfs || m.Kind == Dir) && m.Destination == e.Path:
		return "an empty directory in memory, writable and gone at exit", false
	case (m.Kind == Tmpfs || m.Kind == Dir) && holds:
		return only, false
	case m.Kind == Tmpfs || m.Kind == Dir:
		return "none: it is not there, but for what the command makes in memory", false
	case m.Kind == Link:
		return "a link to " + Quote(m.Source), true
	case m.Kind == File:
		return "read: what jail writes in its place", true
	case m.Kind == Pin && !m.ReadOnly:
		return "read and write, but it can be neither renamed nor removed", true
	case m.ReadOnly:
		return "read", true
	}
	return "read and write", true
}
