package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"jail/internal/detect"
	"jail/internal/later"
	"jail/internal/mask"
	"jail/internal/sandbox/confine"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"

	"golang.org/x/sys/unix"
)

// attempts is how often a launch is tried when files move under it: an editor
// that saves, git that writes its lock files.
const attempts = 3

// byHand is jail COMMAND.
func (c *caller) byHand(o options, stdout io.Writer) (result, error) {
	if o.chdir != "" {
		if err := c.enter(o.chdir, "--chdir"); err != nil {
			return result{}, err
		}
	}
	if shim.InsideJail() {
		return result{}, c.straight(o)
	}
	project, err := c.place(o)
	if err == nil && o.asOwner {
		err = c.asOwner(o, project)
	}
	if err != nil {
		return result{}, err
	}
	c.watch.lap("find the project")
	switch {
	case o.explain != "":
		return result{}, c.explain(o, project, stdout)
	case o.dryRun:
		return result{}, c.dryRun(o, project, stdout)
	}
	return c.launch(o, project)
}

// launch runs the command in the jail, and looks again where something moved
// between the look and the launch.
func (c *caller) launch(o options, project detect.Project) (result, error) {
	for try := 1; ; try++ {
		r, err := c.attempt(o, project, try == 1)
		moved := launch.Moved(err) || errors.Is(err, mask.ErrMoved)
		if !moved || try == attempts {
			return r, err
		}
	}
}

func (c *caller) attempt(o options, project detect.Project, first bool) (result, error) {
	p, err := c.plan(o, project)
	if err != nil {
		return result{}, err
	}
	if first {
		c.notices(o, p)
		c.remember(project.Root)
	}
	if err := c.beforehand(o, p); err != nil {
		return result{}, err
	}
	before := later.Begin(p, later.Caller{Path: c.get("PATH"), Cwd: c.started, Home: c.get("HOME"), XDG: c.get("XDG_CONFIG_HOME")}, c.tree)
	unfollow := c.follow(p.Root)
	r, err := c.run(o, p)
	unfollow()
	if err != nil {
		return result{}, c.diagnose(o, p, err)
	}
	c.ownFarm(o, p.Root)
	c.left(o, before.End())
	c.watch.print(c.stderr)
	keeps := c.lost(o, p, r)
	keeps = c.lostSettings(o, p) || keeps
	c.hooks(o, p)
	if r.TimedOut {
		say(c.stderr, fmt.Sprintf("%s was ended after %v", plan.Quote(p.Process.Args[0]), o.timeout), "jail --timeout "+(2*o.timeout).String()+" COMMAND")
		return result{code: statusTimedOut}, nil
	}
	c.sayDaemon(o, p, r.Code)
	c.sayUnsigned(o, p, r.Code)
	c.afterwards(o, p, r, keeps)
	return result{r.Code, r.Signal}, nil
}

// farmOf is what the farm is made of that only this root has; false where no hook
// puts one on PATH, as by hand in any directory.
func (c *caller) farmOf(root plan.Root) (shim.RootRequest, bool) {
	return shim.RootRequest{
		DataDir: c.data, Launcher: "/proc/self/exe", Root: root.Path, As: root.As, Cwd: c.started,
		Path: c.get("PATH"), Extra: c.shims,
	}, root.Marker || c.known.Why(root.Path)+c.known.Why(root.As) != ""
}

// follow keeps that farm up to date while the command runs: in the background it may
// put something on PATH that the next prompt calls.
func (c *caller) follow(root plan.Root) (stop func()) {
	if req, ok := c.farmOf(root); ok {
		return shim.Follow(req)
	}
	return func() {}
}

// ownFarm brings that farm up to date. What the command has put on PATH is jailed
// before the prompt comes back, which may call git.
func (c *caller) ownFarm(o options, root plan.Root) {
	req, ok := c.farmOf(root)
	if !ok {
		return
	}
	if _, err := shim.InstallRoot(req); err != nil && !c.quiet && !o.quiet {
		say(c.stderr, "what this project has on PATH may run without a jail: "+err.Error(), "jail-hook shims refresh")
	}
}

// dryRun prints the plan and touches nothing.
func (c *caller) dryRun(o options, project detect.Project, w io.Writer) error {
	p, err := c.plan(o, project)
	if err != nil {
		return err
	}
	c.watch.print(c.stderr)
	switch {
	case o.program:
		pr, err := launch.Lower(p)
		if err != nil {
			return err
		}
		return pr.WriteText(w)
	case o.json:
		return p.WriteJSON(w, confine.Describe(*p.Seccomp))
	}
	return p.WriteText(w, confine.Describe(*p.Seccomp), c.style(w))
}

// style is how a plan is printed: for people on a terminal, for other programs
// elsewhere.
func (c *caller) style(w io.Writer) plan.Style {
	f, ok := w.(*os.File)
	if !ok {
		return plan.Style{}
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	terminal := err == nil
	return plan.Style{Aligned: terminal, Colour: terminal && c.get("NO_COLOR") == "" && c.get("TERM") != "dumb"}
}

// silent reports whether nobody wants to read notices.
func (c *caller) silent(o options) bool { return c.quiet || o.quiet }

// notices prints what was ignored or weakened by somebody's word. What the host
// cannot give is in every dry run and not here: it would be the same line at each
// command. What was said of the project before is not said again either.
func (c *caller) notices(o options, p *plan.Plan) {
	if c.silent(o) {
		return
	}
	for _, n := range p.Notes {
		if !n.Said && n.Reason.Layer != "host" && n.Reason.Layer != "built in" {
			say(c.stderr, n.Text, n.Hint)
		}
	}
}
