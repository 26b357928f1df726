package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"jail/internal/detect"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// bypass runs one command without a jail: the real program takes this process's
// place, and the farms are not on its PATH. It is a command and no variable, so
// that nothing but a person's or a script's own line can ask for it, and in a jail
// it is refused, where it could only pretend.
func (u *user) bypass(c *cli.Context) error {
	args := c.Args().Slice()
	if len(args) == 0 {
		return usagef("bypass needs %s", c.Command.ArgsUsage)
	}
	if shim.InsideJail() {
		return jailed("which nothing gets around")
	}
	farms := u.farms()
	path, err := detect.Lookup(args[0], u.get("PATH"), u.physical, farms)
	if err != nil {
		return err
	}
	u.say(fmt.Sprintf("bypass: %q and all that it starts run without a jail", path), "")
	err = syscall.Exec(path, args, u.withoutFarms(farms))
	return &detect.NotExecutableError{Path: path, Cause: fmt.Errorf("execute: %w", err)}
}

// withoutFarms is the environment with the farms taken out of PATH.
func (u *user) withoutFarms(farms []plan.ID) []string {
	env := slices.Clone(u.env)
	for i, entry := range env {
		if path, ok := strings.CutPrefix(entry, "PATH="); ok {
			env[i] = "PATH=" + shim.PathWithout(path, farms)
		}
	}
	return env
}
