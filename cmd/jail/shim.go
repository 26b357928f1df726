package main

import (
	"errors"
	"fmt"
	"syscall"

	"jail/internal/detect"
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
	return c.launch(options{args: args}, project)
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
