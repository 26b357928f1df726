package main

import (
	"os"
	"slices"

	"jail/internal/detect"
	"jail/internal/roots"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// project looks for the project of the working directory, by its marker or by the
// list of known roots.
func (c *caller) project() (project detect.Project, found bool, err error) {
	if err := c.knowRoots(); err != nil {
		return project, false, err
	}
	return detect.FindProject(c.physical, c.logical, c.homes, c.known.Why)
}

// knowRoots reads the lists.
func (c *caller) knowRoots() (err error) {
	self, _ := os.Readlink("/proc/self/exe")
	c.known, err = roots.ReadAll(shim.DataDirs(c.home, c.get("XDG_DATA_HOME"), self))
	return err
}

// lostMarker is the notice for a project that has no marker any more: git has
// checked out something older, or somebody wanted out of the jail.
func (c *caller) lostMarker(root plan.Root) (plan.Note, bool) {
	if root.Marker || c.known.Claim(root.Path) != roots.Known && c.known.Claim(root.As) != roots.Known {
		return plan.Note{}, false
	}
	return plan.Note{
		Text:   plan.Quote(root.Path) + " has lost its .ai-jail; its commands stay jailed",
		Hint:   "jail-hook forget " + plan.Word(root.Path),
		Reason: plan.Reason{Layer: "user", Text: "a known root"},
	}, true
}

// remember keeps that root is a project, before the first command that could do
// something about it, and what the user's configuration says about others. Where
// this cannot be written the jail is the same, and doctor tells.
func (c *caller) remember(root plan.Root) {
	own := c.known[0]
	if root.Marker && (own.Claim(root.Path) != roots.Known || own.Claim(root.As) != roots.Known) {
		_ = roots.Add(c.data, root.Path, root.As)
	}
	if below := roots.Spellings(c.below); !slices.Equal(own.All(roots.Below), below) {
		_ = roots.SetBelow(c.data, c.below)
	}
}
