package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"jail/internal/shim"
)

// A report is what status prints.
type report struct {
	Inside bool     `json:"inside_jail"` // this very process is jailed
	Root   string   `json:"root,omitempty"`
	Why    string   `json:"why"`
	Farms  []string `json:"farms"`   // that should be first on PATH in this project
	OnPath bool     `json:"on_path"` // one of them is the first entry
	Shims  []row    `json:"shims"`
}

// status says whether commands are jailed here. Its own status is 0 in a project
// and 1 elsewhere, for scripts.
func (u *user) status(c *cli.Context) error {
	if _, err := words(c, 0, 0); err != nil {
		return err
	}
	r, found, err := u.look()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return fmt.Errorf("write status: %w", err)
		}
		fmt.Fprintf(u.stdout, "%s\n", text)
	} else {
		u.print(r)
	}
	if !found {
		return &statusError{statusOutside}
	}
	return nil
}

func (u *user) look() (r report, found bool, err error) {
	r.Farms = []string{shim.FarmDir(u.dataDir())}
	if shim.InsideJail() {
		r.Inside, r.Why = true, "this shell runs in a jail already"
		return r, true, nil
	}
	project, found, err := u.project()
	if err != nil {
		return r, false, err
	}
	r.Why = "no .ai-jail at or above the working directory"
	if found {
		r.Root, r.Why = project.Root.Path, project.Root.Why
		r.Farms = append(r.Farms, shim.RootFarmDir(u.dataDir(), r.Root))
	}
	first, _, _ := strings.Cut(u.get("PATH"), ":")
	r.OnPath = slices.Contains(r.Farms, filepath.Clean(first))
	r.Shims = u.rows()
	return r, found, nil
}

func (u *user) print(r report) {
	root := oneLine(r.Root)
	if root == "" {
		root = "none"
	}
	fmt.Fprintf(u.stdout, "root   %s\nwhy    %s\n", root, oneLine(r.Why))
	if r.Inside {
		return
	}
	place := "not first on PATH"
	if r.OnPath {
		place = "first on PATH"
	}
	fmt.Fprintf(u.stdout, "shims  %s (%s)\n", oneLine(r.Farms[0]), place)
	for _, row := range r.Shims {
		fmt.Fprintf(u.stdout, "  %-10s %s", oneLine(row.Name), row.target())
		if row.Bare && r.Root != "" {
			fmt.Fprint(u.stdout, "  (not jailed: it is found before the shim)")
		}
		fmt.Fprintln(u.stdout)
	}
}

// shimmed are the names in the user's farm and in that of the root, sorted.
func (u *user) shimmed() []string {
	names := shim.Shims(shim.FarmDir(u.dataDir()))
	if project, ok, err := u.project(); err == nil && ok {
		names = append(names, shim.Shims(shim.RootFarmDir(u.dataDir(), project.Root.Path))...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
