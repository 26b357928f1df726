package main

import (
	"bytes"
	"path/filepath"
	"slices"

	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// caches opens what backs each cache of the command's preset.
func (g *gatherer) caches() error {
	if g.policy.Cache == plan.CacheNone {
		return nil
	}
	store, all := shim.Store{DataDir: g.data}, g.preset.Caches
	if g.insideHome() == "" {
		// Those are left that a variable puts somewhere.
		all = slices.DeleteFunc(slices.Clone(all), func(cd shim.CacheDir) bool { return !filepath.IsAbs(cd.Destination("", g.get)) })
		g.note("caches in the home are not kept from one run to the next: this user has none", plan.Reason{Layer: "host"})
	}
	sources, err := g.stores(store, all)
	if err != nil {
		return err
	}
	for i, cd := range all {
		g.tellCache(cd)
		backing := g.backing(cd)
		s := sources[i]
		var secrets []plan.Source
		if backing == plan.CacheHost {
			if host, ok := g.hostCache(cd); ok {
				s, secrets = host, secretsIn(host, cd)
			} else {
				backing = plan.CacheProject
			}
		}
		g.in.Facts.Caches = append(g.in.Facts.Caches, plan.Cache{
			Destination: cd.Destination(g.insideHome(), g.get), Source: s, Type: cd.Type, Backing: backing, Secrets: secrets,
			Reason: plan.Reason{Layer: "preset", Text: "cache " + cd.Name + " of " + map[string]string{
				plan.CacheProject: "this project", plan.CacheShared: "all projects", plan.CacheHost: "the host",
			}[backing]},
		})
	}
	return nil
}

// tellCache names a cache to a tool that would take another place since no link can be made
// from it into the project. pnpm 12 then refuses to work in a project whose packages it
// had linked outside, from the store at its usual place. What the project says of it counts.
func (g *gatherer) tellCache(cd shim.CacheDir) {
	if cd.Told == "" || g.isSet(cd.Told) {
		return
	}
	for _, dir := range slices.Compact([]string{g.root.Path, g.physical}) {
		for _, name := range [...]string{".npmrc", "pnpm-workspace.yaml"} {
			b, err := readManifest(filepath.Join(dir, name))
			b = append([]byte("\n"), b...)
			if err == nil && (bytes.Contains(b, []byte("\nstore-dir")) || bytes.Contains(b, []byte("\nstoreDir"))) {
				return
			}
		}
	}
	g.cacheEnv = append(g.cacheEnv, plan.EnvRule{
		Name: cd.Told, Value: cd.Destination(g.insideHome(), g.get), Set: true,
		Reason: plan.Reason{Layer: "preset", Text: "cache " + cd.Name},
	})
}

// backing says what a cache is kept in: packages in a store of the project's own,
// models in the host's directory, unless the policy says otherwise.
func (g *gatherer) backing(cd shim.CacheDir) string {
	switch {
	case g.policy.Cache == plan.CacheProject: // models hold code as well
		return plan.CacheProject
	case cd.Kind == shim.Model:
		return plan.CacheHost
	case g.policy.Cache == "":
		return plan.CacheProject
	}
	return g.policy.Cache
}

func (g *gatherer) stores(s shim.Store, all []shim.CacheDir) ([]plan.Source, error) {
	shared := g.policy.Cache == plan.CacheShared
	switch {
	case g.options.dryRun && shared:
		return s.LookShared(all)
	case g.options.dryRun:
		return s.Look(g.root.Path, all)
	case shared:
		return s.OpenShared(all)
	}
	return s.Open(g.root.Path, all)
}
