package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/environ/secret"
	"jail/internal/lost"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"
)

// lost says what a command wrote to its home, which has gone with it: an install that
// says it went well, and then there is nothing, is tried again and again. It reports
// whether it said how to keep it.
func (c *caller) lost(o options, p *plan.Plan, r launch.Result) bool {
	if r.Home < 0 {
		return false
	}
	defer unix.Close(r.Home)
	if c.silent(o) {
		return false
	}
	found := lost.Look(r.Home, func(below string) bool {
		at := path.Join(p.Process.Home, below)
		return slices.ContainsFunc(p.Mounts, func(m plan.Mount) bool { return plan.Below(m.Destination, at) })
	})
	if len(found) == 0 {
		return false
	}
	more := ""
	if len(found) > 1 {
		more = fmt.Sprintf(" and %d more", len(found)-1)
	}
	hint := lostHint(o.args, found[0])
	say(c.stderr, "discarded with the temporary home: "+lostName(found[0])+more, hint)
	return hint != ""
}

// lostSettings says of a command that writes settings for the whole account that they do
// not stay, and reports whether it did. They are written from where no project is: in
// one, a tool may run what its settings name.
func (c *caller) lostSettings(o options, p *plan.Plan) bool {
	file := lost.Settings(o.args)
	if file == "" || c.silent(o) {
		return false
	}
	at := path.Join(p.Process.Home, file)
	if slices.ContainsFunc(p.Mounts, func(m plan.Mount) bool { return m.Kind == plan.Bind && !m.ReadOnly && plan.Below(at, m.Destination) }) {
		return false // the user shows it
	}
	command := quoted(o.args)
	if slices.ContainsFunc(o.args[1:], holdsSecret) || file == lost.CargoLogin && len(o.args) > 2 {
		command = "COMMAND" // what is printed may be kept
	}
	say(c.stderr, plan.Quote(p.Process.Args[0])+" writes to the home, of which nothing that is written inside stays", "cd && "+command+" && cd -")
	return true
}

// holdsSecret reports whether a word of a command line is one, or sets one by its name.
func holdsSecret(word string) bool {
	name, value, found := strings.Cut(word, "=")
	if !found {
		name, value = "", word
	}
	_, named := secret.Name(name)
	_, looks := secret.Value(value)
	return named || looks
}

func lostName(f lost.Find) string {
	name := "~/" + f.Path
	if q := plan.Quote(f.Path); q != f.Path {
		name = plan.Quote(name)
	}
	if f.Kind == lost.Cache {
		return fmt.Sprintf("%s (%d MB)", name, f.Bytes>>20)
	}
	return name
}

// lostHint is the way to keep it.
func lostHint(args []string, f lost.Find) string {
	switch f.Kind {
	case lost.Program:
		return keepHint(args)
	case lost.Cache:
		dir := "~/" + f.Path
		if !lost.Downloads(f.Path) {
			return ""
		}
		return "mkdir -p " + dir + " && jail --rw " + dir + " COMMAND"
	}
	return ""
}

// keepHint is the command that installs the same into the project, as a shell reads it;
// empty where none is known. It names jail itself: .venv/bin/pip has no shim, and without
// a hook nothing has.
func keepHint(args []string) string {
	words := lost.Keep(args)
	if words == nil {
		return ""
	}
	hint := "jail"
	for _, w := range words {
		switch w {
		case "&&":
			hint += " && jail"
		case "GOBIN=$PWD/.tools":
			hint += " " + w
		default:
			hint += " " + plan.Word(w)
		}
	}
	return hint
}

// refusedInstall says where an install for the whole account failed that it could only
// fail or be lost, and reports whether it did. A pip of the project's own environment
// installs into that.
func (c *caller) refusedInstall(o options, p *plan.Plan) bool {
	hint := keepHint(o.args)
	if hint == "" || plan.Below(p.Process.Path, p.Root.Path) {
		return false
	}
	say(c.stderr, plan.Quote(p.Process.Args[0])+" installs outside of the project here, where all is read-only or discarded", hint)
	return true
}
