package main

import (
	"path/filepath"

	"jail/internal/detect"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// usedHome is where the caller's tools keep their settings and models.
func (g *gatherer) usedHome() string {
	if g.used == "" {
		g.used = detect.UsedHome(g.home, g.get("HOME"), g.owner.UID, g.root.Path)
	}
	return g.used
}

// hostCache is the host's own directory for a cache, at its usual place and never
// where the tool's variable says. A link there is followed, but not to where
// credentials lie.
func (g *gatherer) hostCache(cd shim.CacheDir) (plan.Source, bool) {
	if g.usedHome() == "" {
		return plan.Source{}, false
	}
	path, err := filepath.EvalSymlinks(cd.Destination(g.usedHome(), func(string) string { return "" }))
	if err != nil || detect.IsPrivate(path, g.homes) {
		return plan.Source{}, false
	}
	s, err := detect.Stat(path)
	return s, err == nil && s.Type == cd.Type
}

// secretsIn are the credentials that lie in a cache of the host's.
func secretsIn(cache plan.Source, cd shim.CacheDir) (found []plan.Source) {
	for _, name := range cd.Secrets {
		if s, err := detect.Stat(filepath.Join(cache.Path, name)); err == nil {
			found = append(found, s)
		}
	}
	return found
}
