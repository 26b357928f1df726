package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"jail/internal/shim"
)

// cache shows what jail's own stores of package caches take, or clears them. The
// host's caches are never touched.
func (u *user) cache(c *cli.Context) error {
	list, err := words(c, 0, 2)
	if err != nil {
		return err
	}
	if shim.InsideJail() {
		return jailed("which sees its own caches only")
	}
	store := shim.Store{DataDir: u.data()}
	switch {
	case len(list) == 0 && c.Bool("all"):
		return usagef("cache: --all goes with clear")
	case len(list) == 0:
		return u.usage(store, c.Bool("json"))
	case list[0] != "clear":
		return usagef("cache: unknown argument %q", list[0])
	case c.Bool("all") && len(list) == 1:
		return u.cleared("every cache", store.ClearAll)
	case c.Bool("all"):
		return usagef("cache clear: --all, or the name of one")
	case len(list) == 1:
		return u.clearHere(store)
	}
	return u.clearNamed(store, list[1])
}

// clearHere clears the caches of the project of the working directory.
func (u *user) clearHere(store shim.Store) error {
	project, found, err := u.project()
	if err != nil {
		return err
	}
	if !found {
		return &hintedError{"the working directory is in no project", "jail-hook cache"}
	}
	return u.cleared(project.Root.Path, func() (bool, error) { return store.Clear(project.Root.Path) })
}

// clearNamed clears one cache of all roots, or all of one root. A root is a path,
// with a slash in it.
func (u *user) clearNamed(store shim.Store, name string) error {
	if slices.Contains(shim.CacheNames(), name) {
		return u.cleared(name, func() (bool, error) { return store.ClearCache(name) })
	}
	if !strings.Contains(name, "/") && name != "." && name != ".." {
		return usagef("no cache is called %q; there are %s (a project is a path: ./%s)", name, strings.Join(shim.CacheNames(), ", "), name)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	return u.cleared(path, func() (bool, error) {
		had, err := store.Clear(path)
		if real := existing(path); err == nil && !had && real != path {
			return store.Clear(real)
		}
		return had, err
	})
}

func (u *user) cleared(what string, clear func() (bool, error)) error {
	had, err := clear()
	if err != nil {
		return err
	}
	if had {
		fmt.Fprintf(u.stdout, "cleared: %s\n", oneLine(what))
	} else {
		fmt.Fprintf(u.stdout, "nothing was kept: %s\n", oneLine(what))
	}
	return nil
}

// A stored is one root's caches as --json has them.
type stored struct {
	Root   string            `json:"root,omitempty"`
	Shared bool              `json:"shared"`
	Left   bool              `json:"left_over"`
	Bytes  int64             `json:"bytes"`
	Caches []shim.CacheUsage `json:"caches"`
}

func (u *user) usage(store shim.Store, asJSON bool) error {
	found, err := store.Usage()
	if err != nil {
		return err
	}
	all := []stored{}
	for _, f := range found {
		sum, _ := f.Bytes()
		all = append(all, stored{f.Root, f.Shared, f.Left, sum, append([]shim.CacheUsage{}, f.Caches...)})
	}
	if asJSON {
		return u.writeJSON(all)
	}
	total := int64(0)
	for i, s := range all {
		_, partial := found[i].Bytes()
		fmt.Fprintf(u.stdout, "%12s  %s\n", size(s.Bytes, partial), oneLine(s.title()))
		for _, c := range s.Caches {
			if !s.Left {
				fmt.Fprintf(u.stdout, "%12s    %s\n", size(c.Bytes, c.Partial), oneLine(c.Name))
			}
		}
		total += s.Bytes
	}
	fmt.Fprintf(u.stdout, "%12s  in all\n", size(total, false))
	return nil
}

func (s stored) title() string {
	switch {
	case s.Left:
		return "left by a clear that was ended; the next one removes it"
	case s.Shared:
		return "shared by all projects"
	}
	return s.Root
}

// size is a number of bytes for people; partial is one that is larger in truth.
func size(bytes int64, partial bool) string {
	text := fmt.Sprintf("%d B", bytes)
	value, units := float64(bytes), "KMGTPE"
	for value >= 1024 && units != "" {
		value /= 1024
		text = fmt.Sprintf("%.1f %ciB", value, units[0])
		units = units[1:]
	}
	if partial {
		return "> " + text
	}
	return text
}
