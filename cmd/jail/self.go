package main

import (
	"os"
	"path/filepath"

	"jail/internal/detect"
	"jail/internal/sandbox/plan"
)

// self shows the launcher inside where nothing else does: a script that calls it by
// its path finds it there, and runs its command straight. What a shim is stays
// hidden, with the whole farm.
func (g *gatherer) self() {
	exe, err := os.Executable()
	if err != nil || filepath.Base(exe) != "jail" || detect.IsSystem(exe) || detect.IsPrivate(exe, g.homes) || plan.Below(exe, g.root.Path) {
		return
	}
	for _, n := range g.in.Facts.Tools {
		if plan.Below(exe, n.Source.Path) {
			return
		}
	}
	if s, err := detect.Stat(exe); err == nil && s.Type == plan.Regular {
		g.in.Facts.Tools = append(g.in.Facts.Tools, plan.Need{Source: s, Reason: plan.Reason{Layer: "built in", Text: "the launcher itself"}})
	}
}
