package plan

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// WriteText prints p for people: what --dry-run shows. Seccomp are the lines that
// describe the filter. A name that could forge a line is quoted.
func (p *Plan) WriteText(w io.Writer, seccomp []string) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t ")) }
	p.writeCommand(row)
	p.writeFiles(row)
	p.writeEnviron(row)
	p.writeWalls(row, seccomp)
	for _, n := range p.Notes {
		row("note", n.Text+by(n.Reason))
		if n.Hint != "" {
			row("", "hint: "+n.Hint)
		}
	}
	return t.Flush()
}

type rowFunc func(cells ...string)

func (p *Plan) writeCommand(row rowFunc) {
	args := make([]string, len(p.Process.Args))
	for i, a := range p.Process.Args {
		args[i] = Quote(a)
	}
	row("command", strings.Join(args, " "))
	row("program", Quote(p.Process.Path))
	row("mode", string(p.Mode)+by(p.ModeReason))
	row("project", Quote(p.Root.Path)+" ("+p.Root.Why+")")
	row("directory", Quote(p.Process.Cwd))
	row("identity", fmt.Sprintf("uid %d, gid %d, no capabilities", p.Owner.UID, p.Owner.GID))
	network := "the host's: services on this machine and the internet are in reach"
	for _, n := range p.Namespaces {
		if n == NetworkNS {
			network = "none, but a loopback of its own"
		}
	}
	row("network", network)
}

func (p *Plan) writeFiles(row rowFunc) {
	for i := range p.Mounts {
		m := &p.Mounts[i]
		if m.Kind == Mask || m.Kind == Deny {
			continue
		}
		row("file", access(m), Quote(m.Destination)+arrow(m), m.Reason.String())
	}
	for i := range p.Mounts {
		if m := &p.Mounts[i]; m.Kind == Mask || m.Kind == Deny {
			row("hidden", string(m.Kind), Quote(m.Destination), m.Reason.String())
		}
	}
	for _, o := range p.Open {
		row("open", "", Quote(o.Path), o.Pattern+": "+o.Why)
	}
}

// access says in one word what the command can do with a mount.
func access(m *Mount) string {
	switch {
	case m.Kind == Link:
		return "link"
	case m.Kind == Tmpfs && m.ReadOnly:
		return "empty"
	case m.Kind == Tmpfs || m.Kind == Dir:
		return "temporary"
	case m.Kind == Pin && !m.ReadOnly:
		return "pinned"
	case m.ReadOnly || m.Kind == File:
		return "read"
	}
	return "write"
}

func arrow(m *Mount) string {
	switch {
	case m.Kind == Link:
		return " -> " + Quote(m.Source)
	case m.Kind == Bind && m.Source != m.Destination:
		return " from " + Quote(m.Source)
	}
	return ""
}

func (p *Plan) writeEnviron(row rowFunc) {
	row("environment", "passed", quoteAll(p.Environ.Kept))
	if len(p.Environ.Changed) > 0 {
		row("environment", "changed", quoteAll(p.Environ.Changed))
	}
	for _, d := range p.Environ.Dropped {
		row("environment", "dropped", Quote(d.Name), d.Why)
	}
}

func (p *Plan) writeWalls(row rowFunc, seccomp []string) {
	if l := p.Landlock; l != nil {
		row("landlock", fmt.Sprintf("ABI %d, %d rules%s", l.ABI, len(l.Rules), scopes(l)))
	} else {
		row("landlock", "off")
	}
	for _, s := range seccomp {
		row("seccomp", s)
	}
	for _, l := range p.Rlimits {
		row("limit", l.Name, limit(l.Soft)+" of "+limit(l.Hard), l.Reason.String())
	}
	for _, d := range p.Keep {
		row("descriptor", strconv.Itoa(d.FD), string(d.Type), d.Why)
	}
}

func scopes(l *Landlock) string {
	switch {
	case l.ScopeSignals && l.ScopeSockets:
		return ", no signal and no abstract socket leaves the jail"
	case l.ScopeSignals:
		return ", no signal leaves the jail"
	}
	return ""
}

// limit prints one of setrlimit(2), whose infinity is all ones.
func limit(n uint64) string {
	if n == ^uint64(0) {
		return "unlimited"
	}
	return strconv.FormatUint(n, 10)
}

// String names who asked and why.
func (r Reason) String() string {
	s := r.Text
	if r.File != "" {
		s = fmt.Sprintf("%s:%d: %s", Quote(r.File), r.Line, s)
	}
	if r.Layer != "" && r.Layer != "built in" {
		s = r.Layer + ": " + s
	}
	return strings.TrimSuffix(s, ": ")
}

func by(r Reason) string {
	if s := r.String(); s != "" {
		return " (" + s + ")"
	}
	return ""
}

func quoteAll(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = Quote(n)
	}
	return strings.Join(q, " ")
}

// Quote returns s as it is where it is plain, and as a quoted Go string where it
// holds a space, a quote, or anything that a terminal would not show as itself.
func Quote(s string) string {
	if q := strconv.QuoteToGraphic(s); s == "" || q != `"`+s+`"` || strings.ContainsAny(s, " '`$()#;&|<>*?[]{}~!") {
		return strconv.Quote(s)
	}
	return s
}
