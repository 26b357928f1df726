package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
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

// straight runs the command of jail COMMAND inside a jail, where everything is
// jailed already. What would loosen it is without effect; what would tighten it
// further is refused, since nobody could keep the promise.
func (c *caller) straight(o options) error {
	if o.dryRun || o.explain != "" {
		return usagef("this is inside a jail already, so there is nothing to print")
	}
	around, _ := os.ReadFile(plan.InsideFile)
	if w := o.tightens(plan.Mode(strings.TrimSpace(string(around)))); w != "" {
		return &usageError{"this is inside a jail already, which cannot be made stricter by " + w, "jail COMMAND"}
	}
	path, err := detect.Lookup(o.args[0], c.get("PATH"), c.physical, nil)
	if err != nil {
		return err
	}
	return execute(path, append([]string{path}, o.args[1:]...), c.env)
}

// tightens returns the first option that asks for more than the mode of a jail
// around us is known to give.
func (o *options) tightens(around plan.Mode) string {
	for _, w := range o.own {
		name, value, _ := strings.Cut(w, "=")
		switch name {
		case "--worker", "--lockdown", "--mode":
			if asked := max(stricter(plan.Mode(value)), stricter(plan.Mode(name[2:]))); asked > stricter(around) {
				return w
			}
		case "--network", "--gpu":
			if value == "off" {
				return w
			}
		case "--cache":
			if value == plan.CacheNone || value == plan.CacheProject {
				return w
			}
		case "--no-net", "--mask", "--deny", "--timeout", "--strict":
			return name
		}
	}
	return ""
}

// stricter counts how strict a mode is.
func stricter(m plan.Mode) int {
	return slices.Index([]plan.Mode{plan.Normal, plan.Worker, plan.Lockdown}, m)
}

func execute(path string, args, env []string) error {
	err := syscall.Exec(path, args, env)
	var errno syscall.Errno
	if errors.As(err, &errno) && errno == syscall.ENOENT {
		return &detect.NotFoundError{Name: path}
	}
	return &detect.NotExecutableError{Path: path, Cause: fmt.Errorf("execute: %w", err)}
}
