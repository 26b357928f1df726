package plan

// mirror hides and protects what lies in the project also where the project, a part of
// it or what it lies in is shown by another name: rw = [".:/app"]. What a map names
// itself stays as the map says, but for what must not be written.
func (v *viewer) mirror() {
	for _, b := range v.out {
		if b.Kind != Bind || b.Type != Directory || b.Source == b.Destination || !v.overlaps(b.Source) {
			continue
		}
		for _, m := range v.out {
			if !v.guards(&m) || !Below(m.Destination, b.Source) {
				continue
			}
			m.Destination = b.Destination + m.Destination[len(b.Source):]
			if m.Destination == b.Destination && m.Kind != Pin || v.covered(m.Destination, b.Destination) {
				continue
			}
			v.add(m)
		}
	}
}

// overlaps reports whether what lies in dir lies in the project, or the other way round.
func (v *viewer) overlaps(dir string) bool {
	return Below(dir, v.in.Root.Path) || Below(v.in.Root.Path, dir)
}

// guards reports whether m hides or protects something of the project.
func (v *viewer) guards(m *Mount) bool {
	return Below(m.Destination, v.in.Root.Path) && (m.hides() || m.Kind == Pin || m.Kind == File && !m.ID.IsZero())
}

// covered reports whether something else is mounted between path and the mount at top,
// so that path is not what it is in top.
func (v *viewer) covered(path, top string) bool {
	for i := range v.out {
		m := &v.out[i]
		switch m.Kind {
		case Bind, Tmpfs, Proc, Devpts:
			if m.Destination != top && Below(m.Destination, top) && Below(path, m.Destination) {
				return true
			}
		}
	}
	return false
}
