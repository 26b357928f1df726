package plan

// Leads reports whether path is a directory of the jail's own that something lies
// below: it is there inside, and empty but for that.
func (p *Plan) Leads(path string) bool {
	for i := range p.Mounts {
		if Below(p.Mounts[i].Destination, path) {
			return true
		}
	}
	return false
}

// Writable reports whether path can be written inside.
func (p *Plan) Writable(path string) bool {
	best := -1
	for i := range p.Mounts {
		if Below(path, p.Mounts[i].Destination) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	m := &p.Mounts[best]
	switch m.Kind {
	case Bind, Pin, Tmpfs:
		return !m.ReadOnly
	case Proc, Devpts, Dir:
		return true
	}
	return false
}

// Network is what the command reaches.
func (p *Plan) Network() Network { return p.network() }
