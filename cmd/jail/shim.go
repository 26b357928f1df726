package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"jail/internal/detect"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// shim is what runs when the launcher is called by another name. It decides from
// the working directory, each time: in a project the command is jailed, elsewhere
// the real program takes this process's place, and inside a jail as well. But a
// program that a project had a say in is jailed wherever it is called.
func (c *caller) shim(args []string) (result, error) {
	if shim.InsideJail() {
		return result{}, c.passOn(args)
	}
	project, found, err := c.project()
	if err != nil {
		return result{}, err
	}
	if !found {
		return c.elsewhere(args)
	}
	if program, err := c.hosts(args[0], project.Root); err != nil || program != "" {
		return result{}, c.pass(args, program, err)
	}
	return c.launch(options{args: args}, project)
}

// elsewhere is a shim that was called in no project. With an environment that is
// still active it may stand for a program in a project, whose files a jailed
// command has written: that one is jailed in the working directory, as if by hand.
func (c *caller) elsewhere(args []string) (result, error) {
	self, farms := c.farm("")
	x, err := shim.Outside(args, c.env, c.physical, farms, detect.Lookup)
	if err != nil {
		return result{}, err
	}
	theirs, err := c.belongs(x.Path)
	switch {
	case err != nil:
		return result{}, err
	case theirs && args[0] == "jail-hook":
		return result{}, &shim.OwnError{Path: x.Path}
	case theirs:
		project := detect.Project{}
		if project.Root, err = detect.ByHand(c.physical, c.logical, c.homes); err != nil {
			return result{}, &strayError{x.Path, err, args}
		}
		return c.launch(options{args: args}, project)
	case shim.IsRootFarm(self):
		return result{}, c.pass(args, x.Path, nil)
	}
	return result{}, execute(x.Path, x.Args, x.Env)
}

// A strayError says that a project's program was called where no jail can be.
type strayError struct {
	program string
	err     error
	args    []string
}

func (e *strayError) Error() string {
	return fmt.Sprintf("%q is a project's, so it runs in a jail only, and here can be none: %v", e.program, e.err)
}

// Advice is a command to paste.
func (e *strayError) Advice() string {
	words := []string{"jail-hook", "bypass", "--"}
	for _, w := range e.args {
		words = append(words, plan.Word(w))
	}
	return strings.Join(words, " ")
}

// belongs reports whether a project had a say in what program is.
func (c *caller) belongs(program string) (bool, error) {
	for _, dir := range shim.Trail(program) {
		if _, found, err := detect.FindProject(dir, "", c.homes, c.known.Why); err != nil || found {
			return found, err
		}
	}
	return false, nil
}

// farm is the directory that this shim was found in, and the identities of all farms
// that are to be passed over.
func (c *caller) farm(root string) (self string, ids []plan.ID) {
	self, _ = os.Readlink("/proc/self/exe")
	return filepath.Dir(self), shim.FarmIDs(c.data, self, root, c.get("PATH"))
}

// hosts returns the program of the host's that a shim stands for which is there only
// because a project has, or had, a program of that name on PATH: .venv/bin/git,
// after deactivate. It returns nothing where a project's own is found.
func (c *caller) hosts(name string, root plan.Root) (program string, err error) {
	self, farms := c.farm(root.Path)
	if shim.Configured(self, name) {
		return "", nil
	}
	program, err = detect.Lookup(name, c.get("PATH"), c.physical, farms)
	if err != nil {
		return "", err
	}
	theirs := shim.FromProject(program, root.Path, root.As)
	if !theirs {
		theirs, err = c.belongs(program)
	}
	switch {
	case err != nil:
		return "", err
	case !theirs:
		return program, nil
	case name == "jail-hook":
		// What it prints is evaluated outside.
		return "", &shim.OwnError{Path: program}
	}
	return "", nil
}

// pass lets a program of the host's take this process's place, with the farms on
// PATH. It returns only an error.
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
	_, farms := c.farm("")
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
