package plan

import (
	"slices"
	"strings"
)

// order sorts mounts by path, a directory before what lies in it, so that none
// hides another, whoever asked for it and in whichever order. Of two that place
// something at the same path the later one counts; what hides comes last.
func order(ms []Mount) []Mount {
	slices.SortStableFunc(ms, func(a, b Mount) int {
		if c := ComparePaths(a.Destination, b.Destination); c != 0 {
			return c
		}
		return rank(a.Kind) - rank(b.Kind)
	})
	var out []Mount
	var above []int // of out: what the next mount lies in, outermost first
	for _, m := range ms {
		for len(above) > 0 && !Below(m.Destination, out[above[len(above)-1]].Destination) {
			above = above[:len(above)-1]
		}
		cover := Tmpfs // the jail's root is one
		if n := len(above); n > 0 {
			last := &out[above[n-1]]
			if last.Destination == m.Destination {
				if merge(last, m) {
					continue
				}
			} else {
				cover = last.Kind
			}
		}
		switch {
		case cover == Mask || cover == Deny:
			continue // there is nothing below it any more
		case cover == Bind && (m.Kind == Link || m.Kind == Dir):
			continue // it is there, as it is on the host
		}
		out = append(out, m)
		above = append(above, len(out)-1)
	}
	return out
}

// merge reports whether m adds nothing after last, at the same path, or has been
// merged into it.
func merge(last *Mount, m Mount) bool {
	switch {
	case last.Kind == Mask || last.Kind == Deny:
		return true
	case rank(last.Kind) == rank(m.Kind), last.Kind == Pin:
		*last = m
		return true
	case m.Kind == Pin && last.Kind == File:
		return true // a copy in its place, which nobody can write or move
	case m.Kind == Pin && last.Kind == Bind:
		last.ReadOnly = last.ReadOnly || m.ReadOnly
		return true
	}
	return false
}

// rank orders what has the same destination.
func rank(k Kind) int {
	switch k {
	case Pin:
		return 1
	case Mask, Deny:
		return 2
	}
	return 0
}

// ComparePaths orders clean absolute paths by their components, so that a
// directory comes right before what lies in it.
func ComparePaths(a, b string) int {
	for a != "" && b != "" {
		x, y := first(a), first(b)
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
		a, b = a[len(x):], b[len(y):]
		a, b = strings.TrimPrefix(a, "/"), strings.TrimPrefix(b, "/")
	}
	return len(a) - len(b)
}

func first(p string) string {
	if i := strings.IndexByte(p, '/'); i > 0 {
		return p[:i]
	}
	if p[0] == '/' {
		return "/"
	}
	return p
}

// Shows reports whether path is something of the host's, or of the jail's own
// making, inside; not merely a place on an empty file system.
func (p *Plan) Shows(path string) bool {
	best := -1
	for i := range p.Mounts {
		if Below(path, p.Mounts[i].Destination) {
			best = i // parents come first, so the last is the nearest
		}
	}
	if best < 0 {
		return false
	}
	m := &p.Mounts[best]
	switch m.Kind {
	case Tmpfs, Dir:
		return m.Destination == path
	case Mask, Deny:
		return false
	}
	return true
}
