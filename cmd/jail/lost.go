package main

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/detect"
	"jail/internal/lost"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"
)

// lost says what a command wrote to its home, which has gone with it: an install that
// says it went well, and then there is nothing, is tried again and again.
func (c *caller) lost(o options, p *plan.Plan, r launch.Result) {
	if r.Home < 0 {
		return
	}
	defer unix.Close(r.Home)
	if c.silent(o) {
		return
	}
	found := lost.Look(r.Home, func(below string) bool {
		at := path.Join(p.Process.Home, below)
		return slices.ContainsFunc(p.Mounts, func(m plan.Mount) bool { return plan.Below(m.Destination, at) })
	})
	if len(found) == 0 {
		return
	}
	more := ""
	if len(found) > 1 {
		more = fmt.Sprintf(" and %d more", len(found)-1)
	}
	say(c.stderr, "discarded with the temporary home: "+lostName(found[0])+more, lostHint(o.args, found[0]))
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
		words := lost.Keep(args)
		for i, w := range words {
			if w != "&&" && w != "GOBIN=$PWD/.tools" {
				words[i] = detect.Quote(w)
			}
		}
		return strings.Join(words, " ")
	case lost.Cache:
		dir := "~/" + f.Path
		if detect.Quote(f.Path) != f.Path {
			return ""
		}
		return "mkdir -p " + dir + " && jail --rw " + dir + " COMMAND"
	}
	return ""
}
