package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/detect"
	"jail/internal/environ"
	"jail/internal/environ/secret"
	"jail/internal/lost"
	"jail/internal/outside"
	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"
)

// beforehand refuses an install that would make a link to nowhere and say that all
// went well.
func (c *caller) beforehand(o options, p *plan.Plan) error {
	if !outside.Installs(o.args) {
		return nil
	}
	named := append(outside.Dependencies(p.Process.Cwd, p.Root.Path, readManifest), outside.Mentions(o.args, p.Process.Cwd, p.Root.Path, readNothing)...)
	for _, n := range named {
		if !c.missing(p, n.Path) || n.File == "" && !isPackage(n.Path) {
			continue
		}
		where := "on the command line"
		if n.File != "" {
			where = "in " + plan.Quote(n.File)
		}
		return &plan.Refusal{
			Cause: c.wanted(n.Path, fmt.Sprintf("%s, a dependency %s, lies outside of the project and is not shown", plan.Quote(n.Text), where)),
			Hint:  c.showing(n.Path, o.args),
		}
	}
	return nil
}

// isPackage reports whether npm would install what is at path. Other paths on a command
// line are values of options, and none of our business.
func isPackage(path string) bool {
	return filepath.Ext(path) == ".tgz" || unix.Access(filepath.Join(path, "package.json"), unix.F_OK) == nil
}

// missing reports whether path is on the host and not inside.
func (c *caller) missing(p *plan.Plan, path string) bool {
	return !p.Shows(path) && unix.Access(path, unix.F_OK) == nil
}

// wanted is what to say of a path: of a place of credentials always the same, since
// whoever reads it should wonder who looked.
func (c *caller) wanted(path, cause string) string {
	if detect.IsPrivate(path, c.homes) {
		return "looked for a secret: " + plan.Quote(path)
	}
	return cause
}

// showing is a command that shows path to the same command; empty where nobody should
// be asked to.
func (c *caller) showing(path string, args []string) string {
	if !detect.MayOffer(path, c.homes) {
		return ""
	}
	return "jail --ro " + plan.Word(path) + " " + quoted(args)
}

// quoted is a command as a shell reads it.
func quoted(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = plan.Word(a)
	}
	return strings.Join(words, " ")
}

// readManifest reads a file of a project.
func readManifest(path string) ([]byte, error) {
	return read(unix.AT_FDCWD, path, unix.OpenHow{}, maxSettings)
}

func readNothing(string) ([]byte, error) { return nil, errUnfit }

// afterwards says, where a command failed, what it may have failed for: a cause that is
// certain, or else the guesses. A guess beside the cause would only be in its way, and
// how to keep an install may have been said before.
func (c *caller) afterwards(o options, p *plan.Plan, r launch.Result, keeps bool) {
	if r.Code == 0 || c.silent(o) {
		return
	}
	c.sayWanted(p)
	certain := (r.Code == statusNotFound || r.Code == statusNotExecutable) && c.unseenPath(p)
	certain = c.unseen(o, p) || certain
	certain = certain || !keeps && c.refusedInstall(o, p)
	certain = certain || c.sayEnclosing(p) || c.sayFixed(p, r.Code)
	if !certain && p.Stdio[2].Terminal {
		c.offline(o, p)
		c.keyless(o, p)
		c.loginless(o, p)
		c.dropped(p, o.args)
		c.masked(p, o.args)
	}
}

// offline says that a command had no network, where a file said so and not its
// caller: tools speak of name servers then, often after a minute.
func (c *caller) offline(o options, p *plan.Plan) {
	if p.Network() == plan.NetworkNone && p.Mode != plan.Lockdown && o.policy.Network == "" {
		say(c.stderr, plan.Quote(p.Process.Args[0])+" had no network", "jail --network on "+quoted(o.args))
	}
}

// keyless says of a command that was to fetch something over ssh that it had no key. The
// line that shows the agent is for people to write: with it all that was fetched can sign.
func (c *caller) keyless(o options, p *plan.Plan) {
	given := slices.ContainsFunc(p.Environ.Kept, func(name string) bool { return name == "SSH_AUTH_SOCK" })
	if !given && p.Network() != plan.NetworkNone && outside.OverSSH(o.args, p.Process.Cwd, p.Root.Path, readManifest) {
		say(c.stderr, plan.Quote(p.Process.Args[0])+" had no key for what is fetched over ssh: ssh = true shows the agent", "man jail-config")
	}
}

// loginless says of a command that asked a registry which login it did not get: the tool
// says to log in, which helps as little. No line is offered that would show one.
func (c *caller) loginless(o options, p *plan.Plan) {
	files := outside.LogsIn(o.args)
	if files == nil || p.Network() == plan.NetworkNone {
		return
	}
	left := ""
	for _, s := range c.copies {
		shown := slices.ContainsFunc(p.Mounts, func(m plan.Mount) bool { return m.Kind == plan.File && m.Destination == s.Destination })
		if at := slices.IndexFunc(s.Left, isLogin); at >= 0 && shown && slices.Contains(files, filepath.Base(s.Destination)) {
			left = plan.Quote(s.Left[at]) + " of " + plan.Quote(s.Destination)
		}
	}
	if file := filepath.Join(p.Process.Home, lost.CargoLogin); slices.Contains(files, filepath.Base(file)) && c.missing(p, file) {
		left = plan.Quote(file)
	}
	if left != "" {
		say(c.stderr, plan.Quote(p.Process.Args[0])+" did not get the login, "+left, "man jail-config")
	}
}

// isLogin reports whether a key that was left out of settings logs in.
func isLogin(key string) bool {
	_, found := secret.Name(key)
	return found || strings.HasSuffix(key, "(user info)")
}

// dropped says which variables a command did not get: the commonest cause that
// nobody thinks of. Which one to give is for people to say, since any program can fail
// in the hope that a ready line is pasted.
func (c *caller) dropped(p *plan.Plan, args []string) {
	if names := notPassed(p); len(names) > 0 {
		say(c.stderr, plan.Quote(p.Process.Args[0])+" did not get these variables: "+quoteSome(names), "jail --env NAME "+quoted(args))
	}
}

// notPassed are the variables that a command may miss. What surrounds a terminal is never
// the cause of a failure, and would crowd out what is.
func notPassed(p *plan.Plan) (names []string) {
	for _, d := range p.Environ.Dropped {
		if !environ.Surrounds(d.Name) {
			names = append(names, d.Name)
		}
	}
	return names
}

// masked says which files of the directory that a command ran in read as empty, or
// cannot be opened. Whether it opened one nobody knows without listening.
func (c *caller) masked(p *plan.Plan, args []string) {
	var hidden []string
	for _, h := range p.Hidden {
		if dir := filepath.Dir(h.Path); dir == p.Process.Cwd || dir == p.Root.Path {
			hidden = append(hidden, filepath.Base(h.Path))
		}
	}
	if len(hidden) > 0 {
		say(c.stderr, "hidden from "+plan.Quote(p.Process.Args[0])+": "+quoteSome(hidden), "jail --trace "+quoted(args))
	}
}

// unseenPath says which directories of PATH are not there inside, where a program
// was not found, and reports whether it said something.
func (c *caller) unseenPath(p *plan.Plan) bool {
	var gone []string
	for _, dir := range strings.Split(c.get("PATH"), ":") {
		if dir = filepath.Clean(dir); filepath.IsAbs(dir) && c.missing(p, dir) && detect.MayOffer(dir, c.homes) {
			gone = append(gone, dir)
		}
	}
	if len(gone) == 0 {
		return false
	}
	say(c.stderr, "on PATH and not there inside: "+quoteSome(gone), "jail --ro "+plan.Word(gone[0])+" COMMAND")
	return true
}

// unseen says which paths that the command line or a manifest names are on the host
// and not inside, and reports whether it said something.
func (c *caller) unseen(o options, p *plan.Plan) bool {
	var gone []string
	for _, n := range outside.Mentions(o.args, p.Process.Cwd, p.Root.Path, readManifest) {
		if c.missing(p, n.Path) {
			gone = append(gone, n.Path)
		}
	}
	if len(gone) == 0 {
		return false
	}
	say(c.stderr, c.wanted(gone[0], "named by the project or the command, and not shown: "+quoteSome(gone)), c.showing(gone[0], o.args))
	return true
}

// quoteSome is the first few of names, quoted where they need it.
func quoteSome(names []string) string {
	const most = 3
	var b strings.Builder
	for i, n := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(plan.Quote(n))
	}
	return b.String()
}

// diagnose says why a program that is on the host cannot be executed inside.
func (c *caller) diagnose(o options, p *plan.Plan, err error) error {
	var failed *launch.Error
	if !errors.As(err, &failed) || !failed.Exec || failed.Err != unix.ENOENT && failed.Err != unix.ENOTDIR {
		return err
	}
	path, what := p.Process.Path, "it is"
	if p.Shows(path) {
		interpreter, _ := detect.Interpreter(path)
		if interpreter == "" || p.Shows(interpreter) {
			return err
		}
		path, what = interpreter, "its interpreter "+plan.Quote(interpreter)+" is"
	}
	return &unseenError{
		cause: c.wanted(path, fmt.Sprintf("cannot execute %s: %s not there inside", plan.Quote(p.Process.Path), what)),
		hint:  c.showing(filepath.Dir(path), o.args),
	}
}

// An unseenError means that the program is on the host and not inside.
type unseenError struct{ cause, hint string }

func (e *unseenError) Error() string { return e.cause }
