package plan

import (
	"path"
	"slices"
)

// maxLinks is how many links one path may go through, as in path_resolution(7).
const maxLinks = 40

// throughLinks gives each mount the place that its destination leads to. A home may
// be a link: then HOME, and all that is put below it, is spelled by the link, and
// nothing can be mounted below one.
func throughLinks(ms []Mount) []Mount {
	var links []*Mount
	for i := range ms {
		if ms[i].Kind == Link {
			links = append(links, &ms[i])
		}
	}
	out := slices.Clone(ms)
	for i := range out {
		out[i].Destination = resolve(out[i].Destination, links)
	}
	return slices.DeleteFunc(out, func(m Mount) bool {
		return m.Kind == Link && resolve(target(&m), links) == m.Destination // a link to itself
	})
}

// resolve is where a path that lies below one of links leads to. What a link itself
// leads to is not asked.
func resolve(at string, links []*Mount) string {
	for range maxLinks {
		i := slices.IndexFunc(links, func(l *Mount) bool { return at != l.Destination && Below(at, l.Destination) })
		if i < 0 {
			return at
		}
		at = path.Join(target(links[i]), at[len(links[i].Destination):])
	}
	return at
}

// temporary is where a directory of the jail's own in memory is that can be
// written; empty for any other.
func (p *Plan) temporary(dir string) string {
	var links []*Mount
	for i := range p.Mounts {
		if p.Mounts[i].Kind == Link {
			links = append(links, &p.Mounts[i])
		}
	}
	for range maxLinks {
		i := slices.IndexFunc(links, func(l *Mount) bool { return l.Destination == dir })
		if i < 0 {
			break
		}
		dir = target(links[i])
	}
	dir = resolve(dir, links)
	for i := len(p.Mounts) - 1; i >= 0; i-- {
		m := &p.Mounts[i]
		if !Below(dir, m.Destination) {
			continue
		}
		switch {
		case m.Kind == Tmpfs && !m.ReadOnly:
			return dir
		case m.Kind != Dir:
			return ""
		}
	}
	return ""
}

// target is the path that a link leads to.
func target(link *Mount) string {
	if path.IsAbs(link.Source) {
		return path.Clean(link.Source)
	}
	return path.Join(path.Dir(link.Destination), link.Source)
}
