package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"jail/internal/detect"
	"jail/internal/lost"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"
	"jail/internal/trace"
)

// run runs the plan, and has somebody listen where that was asked for.
func (c *caller) run(o options, p *plan.Plan) (launch.Result, error) {
	if !o.trace && o.traceTo == "" {
		return launch.RunObserved(c.variant(p), c.watch.observer())
	}
	file, err := c.newTrace(o.traceTo)
	if err != nil {
		return launch.Result{}, err
	}
	record := &trace.Record{}
	r, err := launch.RunListened(c.variant(p), c.watch.observer(), launch.Listener{
		Filter: trace.Filter(),
		Serve:  func(fd int) { trace.Serve(fd, record) },
	})
	if err != nil {
		if file != nil {
			os.Remove(file.Name())
		}
		return r, err
	}
	found, more := trace.Report(record.Events(), c.seen(p))
	if record.Full {
		more++
	}
	if o.trace {
		c.tell(found, more, o.args)
	}
	if file != nil {
		if err := errors.Join(trace.WriteFile(file, found), file.Close()); err != nil {
			say(c.stderr, fmt.Sprintf("write the trace: %v", err), "")
		}
	}
	return r, nil
}

// newTrace makes the file for a trace before anything runs, and only a new one: one
// that is there may be a link that the project put there.
func (c *caller) newTrace(path string) (*os.File, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(c.absolute(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, &plan.Refusal{Cause: plan.Quote(path) + " is there already", Hint: "rm " + plan.Word(path)}
	}
	if err != nil {
		return nil, fmt.Errorf("make the file of the trace: %w", err)
	}
	return f, nil
}

// tell prints what a command wanted and did not get, and the same command with it.
func (c *caller) tell(found []trace.Finding, more int, args []string) {
	if len(found) == 0 {
		say(c.stderr, plan.Quote(args[0])+" got all that it wanted", "")
		return
	}
	say(c.stderr, plan.Quote(args[0])+" wanted and did not get:", "")
	for _, f := range found {
		switch {
		case f.Kind == "secret":
			fmt.Fprintf(c.stderr, "  looked for a secret: %s\n", plan.Quote(f.What))
		case f.Line == "":
			fmt.Fprintf(c.stderr, "  %-9s %s\n", f.Kind, plan.Quote(f.What))
		default:
			fmt.Fprintf(c.stderr, "  %-9s %-40s %s\n", f.Kind, plan.Quote(f.What), oneLine(f.Line))
		}
	}
	if more > 0 {
		fmt.Fprintf(c.stderr, "  and %d more\n", more)
	}
	if options := trace.Options(found); len(options) > 0 {
		fmt.Fprintf(c.stderr, "jail: hint: %s\n", oneLine("jail "+quoted(append(options, args...))))
	}
}

// seen is what p gives a command.
func (c *caller) seen(p *plan.Plan) trace.View {
	v := trace.View{
		Root: p.Root.Path, Home: c.home, Network: p.Network() != plan.NetworkNone,
		Shows:    func(path string) bool { return p.Shows(path) || p.Leads(path) },
		Writable: p.Writable,
		Exists: func(path string) bool {
			return unix.Faccessat(unix.AT_FDCWD, path, unix.F_OK, unix.AT_SYMLINK_NOFOLLOW) == nil
		},
		Private: func(path string) bool { return detect.InPrivate(path, c.homes) },
		Offer:   func(path string) bool { return detect.MayOffer(path, c.homes) },
		Keeps: func(path string) bool {
			below, err := filepath.Rel(c.home, path)
			return err == nil && lost.Downloads(below)
		},
		Hidden: func(path string) (deny, ok bool) {
			for _, h := range p.Hidden {
				if plan.Below(path, h.Path) {
					return h.Action == plan.ActDeny, true
				}
			}
			return false, false
		},
	}
	v.Dropped = notPassed(p)
	return v
}
