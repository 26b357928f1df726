package plan_test

import (
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// A home that is a link: what is put below its name is put where the link leads,
// and the project is not shown a second time.
func TestHomeBehindLink(t *testing.T) {
	for _, text := range []string{"/var/home/u", "../var/home/u", "../var/home/./x/../u"} {
		in := input()
		in.Facts.Homes = []string{"/home/u", "/var/home/u"}
		in.Facts.HomeLinks = []plan.Source{{Path: "/home/u", Type: plan.Symlink, Link: text}}
		in.Facts.Tools = nil
		in.Root.Path, in.Root.As, in.Command.Cwd = "/var/home/u/proj", "/home/u/proj", "/var/home/u/proj"
		in.Found = plan.Found{}
		p := build(t, in)
		var below []string
		at := map[string]plan.Kind{}
		for _, m := range p.Mounts {
			at[m.Destination] = m.Kind
			if strings.HasPrefix(m.Destination, "/home/u/") {
				below = append(below, m.Destination)
			}
		}
		if len(below) > 0 {
			t.Errorf("%s: below the link: %q", text, below)
		}
		if at["/home/u"] != plan.Link || at["/var/home/u/proj"] != plan.Bind || at["/var/home/u/.npm"] != plan.Bind {
			t.Errorf("%s: %v", text, at)
		}
	}
}

// Links that lead to each other end somewhere.
func TestLinkCircle(t *testing.T) {
	in := input()
	in.Facts.Links = append(in.Facts.Links,
		plan.Source{Path: "/srv/a", Type: plan.Symlink, Link: "/srv/b/x"}, plan.Source{Path: "/srv/b", Type: plan.Symlink, Link: "/srv/a/x"})
	in.Facts.Caches[0].Destination = "/srv/a/cache"
	if p := build(t, in); !slices.ContainsFunc(p.Mounts, func(m plan.Mount) bool { return m.Destination == "/srv/a" }) {
		t.Error("the link is not there")
	}
}
