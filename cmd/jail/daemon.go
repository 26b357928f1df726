package main

import (
	"path/filepath"
	"slices"

	"jail/internal/sandbox/plan"
)

// A daemon is a program that says that all went well and leaves a process behind, which
// ends with the command. Whoever called it finds nothing there, and no reason.
type daemon struct {
	name  string
	asks  []string // one of these words among its arguments leaves one
	stays string   // the word that keeps it in the foreground; empty: leaving out what asks
}

var daemons = [...]daemon{
	{name: "celery", asks: []string{"-D", "--detach"}},
	{name: "forever", asks: []string{"start"}},
	{name: "gunicorn", asks: []string{"-D", "--daemon"}},
	{name: "pm2", asks: []string{"start", "restart", "startOrRestart", "resurrect"}, stays: "--no-daemon"},
	{name: "uwsgi", asks: []string{"-d", "--daemonize"}},
}

// leavesDaemon returns the program that args start as a daemon, and what keeps it in
// the foreground; nothing where there is none.
func leavesDaemon(args []string) (name string, foreground []string) {
	for i, a := range args[:min(len(args), 3)] {
		at := slices.IndexFunc(daemons[:], func(d daemon) bool { return d.name == filepath.Base(a) })
		if at < 0 {
			continue
		}
		d := &daemons[at]
		asks := func(w string) bool { return slices.Contains(d.asks, w) }
		if !slices.ContainsFunc(args[i+1:], asks) || d.stays != "" && slices.Contains(args, d.stays) {
			return "", nil
		}
		if d.stays != "" {
			return d.name, append(slices.Clone(args), d.stays)
		}
		return d.name, slices.DeleteFunc(slices.Clone(args), asks)
	}
	return "", nil
}

// sayDaemon says so after a command that went well.
func (c *caller) sayDaemon(o options, p *plan.Plan, code int) {
	name, foreground := leavesDaemon(o.args)
	if name == "" || code != 0 || c.silent(o) {
		return
	}
	say(c.stderr, plan.Quote(name)+" left a process running, and nothing outlives the command that started it", quoted(foreground))
}
