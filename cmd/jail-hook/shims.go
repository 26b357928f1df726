package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"jail/internal/config"
	"jail/internal/detect"
	"jail/internal/shim"
)

// shims lists the shims and what they stand for, or brings them up to date.
func (u *user) shims(c *cli.Context) error {
	list, err := words(c, 0, 1)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return u.list()
	}
	if list[0] != "refresh" {
		return usagef("shims: unknown argument %q", list[0])
	}
	return u.refresh()
}

func (u *user) list() error {
	for _, row := range u.rows() {
		fmt.Fprintf(u.stdout, "%s\t%s\n", row.Name, row.target())
	}
	return nil
}

// refresh is what init does to the farms, with the PATH of now: the virtual
// environment that is active, the version that nvm has switched to.
func (u *user) refresh() error {
	data, problem := u.safeDataDir()
	report, err := u.install(data)
	u.changes(report)
	problems := []error{problem, err}
	for _, project := range u.onPath() {
		if err != nil {
			break
		}
		report, rootErr := u.installRoot(data, project)
		u.changes(report)
		problems = append(problems, rootErr)
	}
	return u.all(problems...)
}

// onPath are the project of the working directory and those that have a directory on
// PATH. Where no project may be is nothing to bring up to date.
func (u *user) onPath() (projects []detect.Project) {
	add := func(project detect.Project, found bool, err error) {
		same := func(p detect.Project) bool { return p.Root.Path == project.Root.Path }
		if err == nil && found && !slices.ContainsFunc(projects, same) {
			projects = append(projects, project)
		}
	}
	add(u.project())
	for _, entry := range filepath.SplitList(u.get("PATH")) {
		if real, err := filepath.EvalSymlinks(entry); err == nil && filepath.IsAbs(entry) && !shim.IsFarm(real) {
			add(detect.FindProject(real, entry, u.homes, u.known.Why))
		}
	}
	return projects
}

// installRoot brings the farm up to date that only this root has. A configuration
// that cannot be read takes nothing away.
func (u *user) installRoot(data string, project detect.Project) (shim.Report, error) {
	jail, err := launcher()
	if err != nil {
		return shim.Report{}, err
	}
	req := shim.RootRequest{
		DataDir: data, Launcher: jail, Root: project.Root.Path, As: project.Root.As, Cwd: u.physical, Path: u.get("PATH"),
	}
	result, bad := u.load(project)
	if req.KeepExtra = bad != nil; bad == nil {
		req.Extra = config.ProjectShims(result.Policy)
	}
	report, err := shim.InstallRoot(req)
	for _, r := range report.Refused {
		u.say(fmt.Sprintf("%q is not shimmed: %s", r.Name, r.Why), "")
	}
	return report, errors.Join(bad, err)
}

// follow is installRoot for the project that dir belongs to, after what its
// configuration says has come to count, or to count no more.
func (u *user) follow(dir string) error {
	logical := ""
	if dir == u.physical {
		logical = u.get("PWD")
	}
	project, found, err := detect.FindProject(dir, logical, u.homes, u.known.Why)
	if err != nil || !found {
		return err
	}
	_, err = u.installRoot(u.data(), project)
	return err
}

func (u *user) changes(report shim.Report) {
	for _, name := range report.Added {
		fmt.Fprintf(u.stdout, "added %s\n", oneLine(name))
	}
	for _, name := range report.Removed {
		fmt.Fprintf(u.stdout, "removed %s\n", oneLine(name))
	}
}

// which prints the program that a name stands for, as if there were no shims.
func (u *user) which(c *cli.Context) error {
	list, err := words(c, 1, 1)
	if err != nil {
		return err
	}
	path, err := u.lookup(list[0])
	if err != nil {
		return err
	}
	fmt.Fprintln(u.stdout, path)
	return nil
}

func (u *user) lookup(name string) (string, error) {
	return detect.Lookup(name, u.get("PATH"), u.physical, u.farms())
}

// A row says what one shimmed name stands for.
type row struct {
	Name string `json:"name"`
	Path string `json:"path,omitempty"` // the real program; empty: not on PATH
	Bare bool   `json:"bare"`           // a shell finds it before the shim, if at all
	err  error
}

func (r row) target() string {
	var missing *detect.NotFoundError
	switch {
	case errors.As(r.err, &missing):
		return "not on PATH"
	case r.err != nil:
		return oneLine(r.err.Error())
	}
	return oneLine(r.Path)
}

// rows has one row for each name in the farms.
func (u *user) rows() []row {
	farms, path := u.farms(), u.get("PATH")
	var rows []row
	for _, name := range u.shimmed() {
		r := row{Name: name}
		r.Path, r.err = detect.Lookup(name, path, u.physical, farms)
		if first, err := detect.Lookup(name, path, u.physical, nil); err == nil && first == r.Path {
			r.Bare = true
		}
		rows = append(rows, r)
	}
	return rows
}
