package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"jail/internal/detect"
	"jail/internal/shim"
)

// A report is what status prints.
type report struct {
	Inside     bool      `json:"inside_jail"` // this very process is jailed
	Root       string    `json:"root,omitempty"`
	Why        string    `json:"why"`
	Marker     bool      `json:"marker"` // the root has a .ai-jail; else it is known from before, or by jail_below
	Mode       string    `json:"mode,omitempty"`
	ModeReason string    `json:"mode_reason,omitempty"`
	Network    string    `json:"network,omitempty"`
	Trust      []consent `json:"trust,omitempty"` // of each configuration, from the outermost marker in
	Error      string    `json:"error,omitempty"` // why every command here is refused
	Other      []string  `json:"other_files"`     // regular files named .ai-jail: no markers
	Farms      []string  `json:"farms"`           // that should be first on PATH in this project
	OnPath     bool      `json:"on_path"`         // one of them is the first entry
	Shims      []row     `json:"shims"`
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
		err = u.writeJSON(r)
	} else {
		u.print(r)
	}
	if err == nil && !found {
		err = &statusError{statusOutside}
	}
	return err
}

// writeJSON prints one object.
func (u *user) writeJSON(v any) error {
	e := json.NewEncoder(u.stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func (u *user) look() (r report, found bool, err error) {
	r.Farms, r.Other, r.Shims = []string{shim.FarmDir(u.dataDir())}, []string{}, []row{}
	if shim.InsideJail() {
		r.Inside, r.Why = true, "this shell runs in a jail already"
		return r, true, nil
	}
	project, found, err := u.project()
	if err != nil {
		return r, false, err
	}
	r.Other = append(r.Other, project.Files...)
	r.Why = "no .ai-jail at or above the working directory"
	if found {
		u.describe(&r, project)
	}
	first, _, _ := strings.Cut(u.get("PATH"), ":")
	r.OnPath = slices.Contains(r.Farms, filepath.Clean(first))
	r.Shims = append(r.Shims, u.rows()...)
	return r, found, nil
}

// describe says what holds for every command in a project.
func (u *user) describe(r *report, project detect.Project) {
	root := project.Root
	r.Root, r.Why, r.Marker = root.Path, root.Why, root.Marker
	r.Farms = append(r.Farms, shim.RootFarmDir(u.dataDir(), root.Path))
	r.Trust = u.trusted(project)
	result, err := u.load(project)
	if err != nil {
		_, r.Error, _ = explain(err)
		return
	}
	p := result.Policy
	r.Mode, r.ModeReason, r.Network = string(p.Mode), p.ModeReason.String(), string(p.Network)
}

func (u *user) print(r report) {
	line := func(name, text string) { fmt.Fprintf(u.stdout, "%-8s %s\n", name, oneLine(text)) }
	root := r.Root
	if root == "" {
		root = "none"
	}
	line("root", root)
	line("why", r.Why)
	for _, file := range r.Other {
		line("", file+" is a file of another tool's, and no marker")
	}
	if r.Inside {
		return
	}
	if r.Error != "" {
		line("error", r.Error)
	}
	if r.Mode != "" {
		line("mode", r.Mode+" ("+r.ModeReason+")")
		line("network", r.Network)
	}
	for _, t := range r.Trust {
		line("trust", t.String())
		for _, ask := range t.Asks {
			line("", "asks for: "+ask)
		}
	}
	place := "not first on PATH"
	if r.OnPath {
		place = "first on PATH"
	}
	line("shims", r.Farms[0]+" ("+place+")")
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
