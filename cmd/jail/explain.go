package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"jail/internal/detect"
	"jail/internal/mask"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// anyCommand stands for the command where --explain was given none.
const anyCommand = "sh"

// explain says why the command can or cannot see a path: what is there inside, by
// whose word, and which line of the user's would change that. It follows links as the
// command would, and never offers a line that would open a place of credentials.
func (c *caller) explain(o options, project detect.Project, w io.Writer) error {
	path, err := c.meant(o.explain)
	if err != nil {
		return err
	}
	o.dryRun = true // look, and leave nothing behind
	p, err := c.plan(o, project)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "command  %s\n", plan.Quote(o.args[0]))
	const most = 40 // links on the way, as in path_resolution(7)
	for range most {
		e := p.Explain(path)
		c.tellPath(w, p, e)
		next, leads := behind(e)
		if !leads {
			return nil
		}
		path = next
	}
	return &usageError{fmt.Sprintf("%q leads through too many links", o.explain), "ls -l " + plan.Word(o.explain)}
}

// meant is the path that somebody typed.
func (c *caller) meant(text string) (string, error) {
	head, rest, _ := strings.Cut(text, "/")
	switch {
	case head == "~" && c.home != "":
		return filepath.Join(c.home, rest), nil
	case strings.HasPrefix(head, "~"):
		return "", usagef("--explain: only ~ itself is expanded, not another user's home")
	}
	if !filepath.IsAbs(text) {
		text = filepath.Join(c.typed, text)
	}
	return filepath.Clean(text), nil
}

// tellPath prints what there is to say about one path.
func (c *caller) tellPath(w io.Writer, p *plan.Plan, e plan.Explanation) {
	line := func(label, text string) { fmt.Fprintf(w, "%-7s  %s\n", label, text) }
	line("path", plan.Quote(e.Path))
	line("access", e.Access)
	if m := e.Mount; m != nil {
		because := m.Reason.String()
		if m.Pattern != "" {
			because = "the pattern " + plan.Quote(m.Pattern) + " (" + because + ")"
		}
		if m.Destination != e.Path {
			because = plan.Quote(m.Destination) + ": " + because
		}
		line("because", because)
	}
	if e.Shown && unix.Access(e.Path, unix.F_OK) != nil {
		line("host", "there is nothing at this path")
	}
	for _, l := range c.change(p, e) {
		line("change", l)
	}
}

// change is what somebody can write about a path that the command does not see, or
// does not see as it is.
func (c *caller) change(p *plan.Plan, e plan.Explanation) []string {
	m := e.Mount
	switch {
	case m != nil && (m.Kind == plan.Mask || m.Kind == plan.Deny):
		return c.uncover(m, p)
	case e.Shown && m.Kind == plan.Pin && m.ReadOnly:
		return []string{"none: change it outside of the jail"}
	case e.Shown && m.Kind != plan.File:
		return nil
	case detect.IsPrivate(e.Path, c.homes) || m != nil && m.Kind == plan.File:
		return []string{"none is offered: it is, holds or lies in a place of credentials"}
	case unix.Access(e.Path, unix.F_OK) != nil:
		return []string{"none: there is nothing at this path on the host either"}
	case e.Wide:
		return []string{"none is offered for a directory as wide as this: ask about what is needed of it"}
	case !detect.MayOffer(e.Path, c.homes):
		return []string{"none is offered: it belongs to the running system, or is no file"}
	}
	return c.lines("ro", e.Path, p)
}

// uncover is what to write about a path that a pattern hides. A pattern of a project's
// comes after the user's exceptions, and only an option after that.
func (c *caller) uncover(m *plan.Mount, p *plan.Plan) []string {
	key, path := string(m.Kind)+"_except", mask.Literal(strings.TrimPrefix(m.Destination, p.Root.Path+"/"))
	switch {
	case m.Pattern == "":
		return []string{"none: no command sees it"}
	case m.Reason.Layer == "flag":
		return []string{"leave out " + m.Reason.Text}
	case m.Reason.Layer == "project" && m.Reason.File != "":
		at := fmt.Sprintf("take it out of %s:%d", plan.Quote(m.Reason.File), m.Reason.Line)
		return append([]string{at}, c.once(key, path, p))
	}
	return c.lines(key, path, p)
}

// lines say the same in the user's file, for every command, and as an option.
func (c *caller) lines(key, value string, p *plan.Plan) (lines []string) {
	if c.config != "" {
		lines = append(lines, fmt.Sprintf("%s = [%s] in %s", key, strconv.Quote(value), plan.Quote(c.config)))
	}
	return append(lines, c.once(key, value, p))
}

func (c *caller) once(key, value string, p *plan.Plan) string {
	flag := "--" + strings.ReplaceAll(key, "_", "-")
	return fmt.Sprintf("or once: jail %s %s %s", flag, plan.Word(value), plan.Word(p.Process.Args[0]))
}

// behind is where a path goes on that leads through a link, of the jail's own making
// or of the host's.
func behind(e plan.Explanation) (string, bool) {
	switch {
	case !e.Shown:
		return "", false
	case e.Mount.Kind == plan.Link:
		return onward(e.Mount.Source, e.Mount.Destination, e.Path), true
	}
	for at := e.Mount.Destination; ; {
		s, err := detect.Stat(at)
		if err == nil && s.Type == plan.Symlink {
			return onward(s.Link, at, e.Path), true
		}
		if err != nil || at == e.Path {
			return "", false
		}
		rest := strings.TrimPrefix(e.Path[len(at):], "/")
		name, _, _ := strings.Cut(rest, "/")
		at = filepath.Join(at, name)
	}
}

// onward replaces the link at a path's beginning by what is written in it.
func onward(link, at, path string) string {
	if !filepath.IsAbs(link) {
		link = filepath.Join(filepath.Dir(at), link)
	}
	return filepath.Join(link, path[len(at):])
}
