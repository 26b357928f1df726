package main

import (
	"os"
	"slices"
	"strings"

	"jail/internal/detect"
	"jail/internal/environ"
	"jail/internal/sandbox/plan"
)

// straight runs the command of jail COMMAND inside a jail, where everything is
// jailed already. What would loosen it is without effect. What would tighten it
// further is done where it can be, and refused where nobody could keep the promise.
func (c *caller) straight(o options) error {
	if o.dryRun || o.explain != "" {
		return usagef("this is inside a jail already, so there is nothing to print")
	}
	around, _ := os.ReadFile(plan.InsideFile)
	w := o.tightens(plan.Mode(strings.TrimSpace(string(around))))
	switch {
	case w == worker && c.forWorker():
		c.env, _ = environ.Judge(c.env, environ.Input{Listed: true, Visible: func(string) bool { return true }})
	case w != "":
		return &usageError{"this is inside a jail already, which cannot be made stricter by " + w, "jail COMMAND"}
	}
	path, err := detect.Lookup(o.args[0], c.get("PATH"), c.physical, nil)
	if err != nil {
		return err
	}
	return execute(path, append([]string{path}, o.args[1:]...), c.env)
}

const worker = "--mode=worker"

// tightens returns the first option that asks for more than the mode of a jail
// around us is known to give; mode worker comes last.
func (o *options) tightens(around plan.Mode) (last string) {
	for _, w := range o.own {
		name, value, _ := strings.Cut(w, "=")
		switch name {
		case "--worker", "--lockdown", "--mode":
			asked := max(strictness(plan.Mode(value)), strictness(plan.Mode(name[2:])))
			switch {
			case asked <= strictness(around):
			case asked == strictness(plan.Worker):
				last = worker
			default:
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
	return last
}

// strictness counts the modes from the loosest on.
func strictness(m plan.Mode) int {
	return slices.Index([]plan.Mode{plan.Normal, plan.Worker, plan.Lockdown}, m)
}

// forWorker reports whether a shorter list of variables is all that mode worker
// lacks here: that no device and no socket is in sight which it would not show.
func (c *caller) forWorker() bool {
	for _, path := range [...]string{
		"/dev/dri", "/dev/nvidiactl", "/dev/nvidia0", "/dev/kfd", "/dev/dxg", "/run/docker.sock", "/tmp/.X11-unix",
	} {
		if _, err := os.Lstat(path); err == nil {
			return false
		}
	}
	return !c.isSet("SSH_AUTH_SOCK") && !c.isSet("WAYLAND_DISPLAY")
}
