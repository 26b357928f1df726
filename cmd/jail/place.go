package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/detect"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// place is what a command given by hand may work in: what --project names, else the
// project of the working directory, else the working directory itself.
func (c *caller) place(o options) (detect.Project, error) {
	if o.project != "" {
		return c.named(o.project)
	}
	project, found, err := c.project()
	if err == nil && !found {
		project.Root, err = detect.ByHand(c.physical, c.logical, c.homes)
	}
	return project, err
}

// named takes a directory as the project by the caller's word. A command that is
// started elsewhere begins in it.
func (c *caller) named(dir string) (detect.Project, error) {
	real, err := filepath.EvalSymlinks(c.absolute(dir))
	if err != nil {
		return detect.Project{}, noPlace("--project", dir, err)
	}
	if err := c.knowRoots(); err != nil {
		return detect.Project{}, err
	}
	if !plan.Below(c.physical, real) {
		if err := c.enter(dir, "--project"); err != nil {
			return detect.Project{}, err
		}
		return detect.ProjectAt(c.physical, c.logical, c.homes)
	}
	return detect.ProjectAt(real, "", c.homes)
}

// enter makes dir the working directory, as cd does. Paths of other options count
// from where --chdir leads, as with git -C, and not from where --project does.
func (c *caller) enter(dir, option string) error {
	path := c.absolute(dir)
	if err := os.Chdir(path); err != nil {
		return noPlace(option, dir, err)
	}
	c.physical, _ = unix.Getwd()
	c.logical = path
	c.set("PWD", path)
	if option == "--chdir" {
		c.typed = c.physical
	}
	return nil
}

// absolute is a path as the caller typed it, by the name under which the caller
// came to the working directory.
func (c *caller) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	from := c.physical
	if a, err := os.Stat(c.logical); err == nil && filepath.IsAbs(c.logical) {
		if b, err := os.Stat("."); err == nil && os.SameFile(a, b) {
			from = c.logical
		}
	}
	return filepath.Join(from, path)
}

func noPlace(option, dir string, err error) error {
	var cause error = err
	if e, ok := err.(*os.PathError); ok {
		cause = e.Err
	}
	return &usageError{fmt.Sprintf("%s: enter %q: %v", option, dir, cause), "ls -ld " + plan.Word(dir)}
}

// set changes a variable of the environment that the command may get.
func (c *caller) set(name, value string) {
	c.env = slices.DeleteFunc(slices.Clone(c.env), func(e string) bool {
		n, _, _ := strings.Cut(e, "=")
		return n == name
	})
	c.env = append(c.env, name+"="+value)
}
