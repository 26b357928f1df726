package plan

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// WriteText prints p for people: what --dry-run shows. Seccomp are the lines that
// describe the filter. A name that could forge a line is quoted.
func (p *Plan) WriteText(w io.Writer, seccomp []string, style Style) error {
	var t table
	p.writeCommand(&t)
	p.writeFiles(&t)
	p.writeEnviron(&t)
	p.writeWalls(&t, seccomp)
	p.writeNotes(&t)
	return t.write(w, style)
}

func (p *Plan) writeCommand(t *table) {
	t.row("command", quoteAll(p.Process.Args))
	t.row("program", Quote(p.Process.Path))
	t.row("mode", string(p.Mode)+by(p.ModeReason))
	t.row("project", Quote(p.Root.Path)+" ("+p.Root.Why+")")
	t.row("directory", Quote(p.Process.Cwd))
	t.row("identity", fmt.Sprintf("uid %d, gid %d, no capabilities", p.Owner.UID, p.Owner.GID))
	if p.Timeout > 0 {
		t.row("timeout", seconds(p.Timeout)+", then TERM to everything in the jail, and KILL")
	}
	names := make([]string, len(p.Namespaces))
	for i, n := range p.Namespaces {
		names[i] = string(n)
	}
	t.row("namespaces", strings.Join(names, " "))
	t.row("network", networkWords[p.network()])
}

var networkWords = map[Network]string{
	NetworkHost: "the host's: services on this machine and the internet are in reach",
	NetworkNone: "none, but a loopback of its own",
}

func (p *Plan) network() Network {
	if slices.Contains(p.Namespaces, NetworkNS) {
		return NetworkNone
	}
	return NetworkHost
}

// seconds prints milliseconds.
func seconds(ms uint64) string {
	return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) + " s"
}

func (p *Plan) writeFiles(t *table) {
	for i := range p.Mounts {
		if m := &p.Mounts[i]; !m.hides() {
			t.row("file", access(m), Quote(m.Destination), backing(m), m.Reason.String())
		}
	}
	for i := range p.Mounts {
		if m := &p.Mounts[i]; m.hides() {
			t.row("hidden", string(m.Kind), Quote(m.Destination), pattern(m.Pattern), m.Reason.String())
		}
	}
	for _, o := range p.Open {
		t.row("open", Quote(o.Path), pattern(o.Pattern), o.Why)
	}
}

func pattern(p string) string {
	if p == "" {
		return "-"
	}
	return Quote(p)
}

// access says in one word what the command can do with a mount.
func access(m *Mount) string {
	switch {
	case m.hides():
		return "none"
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

// backing says what a mount shows.
func backing(m *Mount) string {
	switch {
	case m.Kind == Link:
		return "-> " + Quote(m.Source)
	case m.Kind == Tmpfs || m.Kind == Dir:
		return "in memory"
	case m.Kind == File:
		return "written by jail"
	case m.Kind == Proc || m.Kind == Devpts:
		return "the jail's own"
	case m.Kind == Bind && m.Source != m.Destination:
		return "from " + Quote(m.Source)
	}
	return "the host's"
}

func (p *Plan) writeEnviron(t *table) {
	t.row("environment", "passed", quoteAll(p.Environ.Kept))
	if len(p.Environ.Changed) > 0 {
		t.row("environment", "changed", quoteAll(p.Environ.Changed))
	}
	for _, d := range p.Environ.Dropped {
		t.row("environment", "dropped", Quote(d.Name), d.Why)
	}
}

func (p *Plan) writeWalls(t *table, seccomp []string) {
	if l := p.Landlock; l != nil {
		t.row("landlock", fmt.Sprintf("ABI %d, %d rules%s", l.ABI, len(l.Rules), scopes(l)))
	} else {
		t.row("landlock", "off")
	}
	for _, s := range seccomp {
		t.row("seccomp", s)
	}
	for _, l := range p.Rlimits {
		t.row("limit", l.Name, limit(l.Soft)+" of "+limit(l.Hard), l.Reason.String())
	}
	for _, d := range p.Keep {
		t.row("descriptor", strconv.Itoa(d.FD), string(d.Type), d.Why)
	}
}

// writeNotes prints what somebody's word allows, and what else a stranger should
// know.
func (p *Plan) writeNotes(t *table) {
	for _, r := range p.Weakened {
		t.row("weakened", r.Text, r.who())
	}
	for _, n := range p.Notes {
		t.row("note", n.Text+by(n.Reason))
		for _, d := range n.Details {
			t.row("", d)
		}
		if n.Hint != "" {
			t.row("", "hint: "+n.Hint)
		}
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
	var parts []string
	for _, s := range [...]string{r.who(), r.Text} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ": ")
}

// who names who asked: a layer, and the place in a file of its.
func (r Reason) who() string {
	var parts []string
	if r.Layer != "" && r.Layer != "built in" {
		parts = append(parts, r.Layer)
	}
	switch {
	case r.File != "" && r.Line > 0:
		parts = append(parts, fmt.Sprintf("%s:%d", Quote(r.File), r.Line))
	case r.File != "":
		parts = append(parts, Quote(r.File))
	}
	return strings.Join(parts, ": ")
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
