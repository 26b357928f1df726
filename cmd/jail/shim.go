package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"jail/internal/detect"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// shim is what runs when the launcher is called by another name. It decides from
// the working directory, each time: in a project the command is jailed, elsewhere
// the real program takes this process's place, and inside a jail as well.
func (c *caller) shim(args []string) (result, error) {
	if shim.InsideJail() {
		return result{}, c.passOn(args)
	}
	project, found, err := c.project()
	if err != nil {
		return result{}, err
	}
	if !found {
		return result{}, c.passOn(args)
	}
	if program, err := c.hosts(args[0], project.Root); err != nil || program != "" {
		return result{}, c.pass(args, program, err)
	}
	return c.launch(options{args: args}, project)
}

// hosts returns the program of the host's that a shim stands for which is there only
// because the project has, or had, a program of that name on PATH: .venv/bin/git,
// after deactivate. It returns nothing where the project's own is found.
func (c *caller) hosts(name string, root plan.Root) (program string, err error) {
	self, err := os.Readlink("/proc/self/exe")
	if err != nil || shim.Configured(filepath.Dir(self), name) {
		return "", nil
	}
	farms := shim.FarmIDs(c.data, self, root.Path, c.get("PATH"))
	program, err = detect.Lookup(name, c.get("PATH"), c.physical, farms)
	switch {
	case err != nil:
		return "", err
	case !shim.FromProject(program, root.Path, root.As):
		return program, nil
	case name == "jail-hook":
		// What it prints is evaluated outside.
		return "", &shim.OwnError{Path: program}
	}
	return "", nil
}

// pass lets a program of the host's take this process's place in a project. It
// returns only an error.
func (c *caller) pass(args []string, program string, err error) error {
	if err != nil {
		return err
	}
	x, err := shim.Past(args, c.env, program)
	if err != nil {
		return err
	}
	return execute(x.Path, x.Args, x.Env)
}

// passOn lets the real program take this process's place. It returns only an
// error.
func (c *caller) passOn(args []string) error {
	farms := shim.FarmIDs(c.data, "/proc/self/exe", "", c.get("PATH"))
	x, err := shim.Outside(args, c.env, c.physical, farms, detect.Lookup)
	if err != nil {
		return err
	}
	return execute(x.Path, x.Args, x.Env)
}

func execute(path string, args, env []string) error {
	err := syscall.Exec(path, args, env)
	var errno syscall.Errno
	if errors.As(err, &errno) && errno == syscall.ENOENT {
		return &detect.NotFoundError{Name: path}
	}
	return &detect.NotExecutableError{Path: path, Cause: fmt.Errorf("execute: %w", err)}
}
