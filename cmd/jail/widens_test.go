package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/sandbox/plan"
)

// widens says what b allows that a does not, or nothing. A refusal allows nothing.
func (g *ground) widens(a, b *plan.Plan) string {
	switch {
	case b == nil:
		return ""
	case a == nil:
		return "it runs, and was refused"
	}
	modes := []plan.Mode{plan.Lockdown, plan.Worker, plan.Normal}
	for _, c := range [...]struct {
		what string
		wide bool
	}{
		{"mode", slices.Index(modes, b.Mode) > slices.Index(modes, a.Mode)},
		{"a namespace less", !contains(b.Namespaces, a.Namespaces)},
		{"no Landlock", b.Landlock == nil && a.Landlock != nil},
		{"a scope less", a.Landlock != nil && b.Landlock != nil && (a.Landlock.ScopeSignals && !b.Landlock.ScopeSignals || a.Landlock.ScopeSockets && !b.Landlock.ScopeSockets)},
		{"user namespaces", b.Seccomp.UserNamespaces && !a.Seccomp.UserNamespaces},
		{"tracing", b.Seccomp.Ptrace && !a.Seccomp.Ptrace},
		{"mounts", b.Seccomp.Mounts && !a.Seccomp.Mounts},
		{"set-group-id", b.Seccomp.SetGroupID && !a.Seccomp.SetGroupID},
		{"a descriptor", !contains(a.Keep, b.Keep)},
		{"a variable", !contains(a.Process.Env, b.Process.Env)},
		{"another program", a.Process.Path != b.Process.Path || a.Process.Cwd != b.Process.Cwd || !slices.Equal(a.Process.Args, b.Process.Args)},
		{"identity", a.Owner != b.Owner},
		{"limits", !slices.Equal(a.Rlimits, b.Rlimits)},
	} {
		if c.wide {
			return c.what
		}
	}
	return g.widensFiles(a, b)
}

func contains[T comparable](all, some []T) bool {
	return !slices.ContainsFunc(some, func(v T) bool { return !slices.Contains(all, v) })
}

// widensFiles compares what both show, at every path that either of them mentions and
// at every file that is there.
func (g *ground) widensFiles(a, b *plan.Plan) string {
	// A cache may cover a part of what the user shows; who turns it off uncovers that.
	a, were := withoutCaches(a)
	b, are := withoutCaches(b)
	for at, backing := range are {
		if was, had := were[at]; !had || backing > was {
			return fmt.Sprintf("the cache at %s has backing %d, and had %d (%v)", at, backing, was, had)
		}
	}
	var paths []string
	for _, p := range []*plan.Plan{a, b} {
		for i := range p.Mounts {
			d := p.Mounts[i].Destination
			paths = append(paths, d, d+"/below")
		}
	}
	filepath.WalkDir(g.dir, func(path string, _ os.DirEntry, _ error) error {
		paths = append(paths, path)
		return nil
	})
	for _, path := range paths {
		was, is := sees(a, path), sees(b, path)
		if is.rank > was.rank || is.rank > empty && is.source != was.source {
			return fmt.Sprintf("%s: %+v, and it was %+v", path, is, was)
		}
	}
	return ""
}

// withoutCaches parts a plan from its caches, whose backings have an order of their
// own: a project's own store, one for all, the host's.
func withoutCaches(p *plan.Plan) (*plan.Plan, map[string]int) {
	rest, caches := *p, map[string]int{}
	rest.Mounts = nil
	for _, m := range p.Mounts {
		i := slices.IndexFunc([]string{"of this project", "of all projects", "of the host"}, func(end string) bool {
			return m.Reason.Layer == "preset" && strings.HasSuffix(m.Reason.Text, end)
		})
		if i < 0 {
			rest.Mounts = append(rest.Mounts, m)
		} else {
			caches[m.Destination] = i
		}
	}
	return &rest, caches
}

// A sight is how much is seen at a path, and of what.
type sight struct {
	rank   int
	source string
}

const (
	nothing = iota
	masked
	empty
	readable
	writable
)

func sees(p *plan.Plan, path string) sight {
	e := p.Explain(path)
	m := e.Mount
	switch {
	case m == nil || m.Kind == plan.Deny:
		return sight{nothing, ""}
	case m.Kind == plan.Mask:
		return sight{masked, ""}
	case m.Kind == plan.Tmpfs || m.Kind == plan.Dir:
		return sight{empty, ""}
	case m.Kind == plan.Link:
		if text, err := os.Readlink(m.Destination); err == nil && text == m.Source {
			return sight{readable, path} // as it is on the host
		}
		return sight{readable, "link " + m.Source}
	case m.Kind == plan.File && m.Destination == plan.InsideFile:
		return sight{readable, "inside"} // it holds the mode
	case m.Kind == plan.File:
		return sight{readable, "copy " + string(m.Data)}
	}
	s := sight{readable, m.Source + path[len(m.Destination):]}
	if !m.ReadOnly {
		s.rank = writable
	}
	return s
}
