package main

import (
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/environ"
	"jail/internal/mask"
	"jail/internal/sandbox/plan"
)

// keepGitHonest makes git store what its index has of files that read as empty, and
// not what it reads. What the user wants of attributes everywhere stays, since git
// reads one such file.
func (g *gatherer) keepGitHonest() {
	found := &g.in.Found
	ours := mask.Attributes(found.Hits)
	if len(ours) == 0 || !g.usesGit() {
		return
	}
	for _, c := range g.in.Facts.Settings {
		if strings.Contains(filepath.Base(c.Destination), "attributes") {
			found.Attributes = append(append(found.Attributes, c.Data...), '\n')
		}
	}
	found.Attributes = append(found.Attributes, ours...)
	const filter = "filter." + mask.GitFilter + "."
	g.gitSays = []environ.GitSetting{
		{Key: "core.attributesFile", Value: plan.AttributesFile},
		{Key: filter + "clean", Value: mask.GitClean},
		{Key: filter + "required", Value: "true"},
	}
}

// keepGitFromLooking makes git take a file that it cannot open for what it was, as
// long as size and time are the same. Otherwise it would add nothing at all.
func (g *gatherer) keepGitFromLooking() {
	denied := func(h plan.Hit) bool { return h.Tracked && h.Action == plan.ActDeny && h.Type == plan.Regular }
	if slices.ContainsFunc(g.in.Found.Hits, denied) {
		g.gitSays = append(g.gitSays,
			environ.GitSetting{Key: "core.checkStat", Value: "minimal"},
			environ.GitSetting{Key: "core.trustctime", Value: "false"})
	}
}

// usesGit reports whether the project is a repository, or git tracks what is hidden
// in one that lies in it.
func (g *gatherer) usesGit() bool {
	git := filepath.Join(g.root.Path, ".git")
	return slices.ContainsFunc(g.in.Found.Hits, func(h plan.Hit) bool { return h.Tracked }) ||
		slices.ContainsFunc(g.in.Found.Pins, func(p plan.Pinned) bool { return plan.Below(p.Source.Path, git) })
}
