package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"jail/internal/config"
	"jail/internal/sandbox/plan"
)

// The launcher splits its arguments itself. Nothing after the command's name is
// ever read as ours, whatever it looks like, and a library for command lines
// would cost every start of every shim more than the jail itself does
// (docs/adr/0008).

// An options value is what the words before the command ask for.
type options struct {
	policy  config.Flags
	chdir   string
	project string
	asOwner bool
	timeout time.Duration
	dryRun  bool
	json    bool
	program bool
	explain string
	timings bool
	trace   bool
	traceTo string
	quiet   bool
	help    bool
	version bool
	own     []string // the options that were typed, each as --name or --name=value
	args    []string // the command and its arguments
}

// A usageError is a command line that means nothing.
type usageError struct{ cause, hint string }

func (e *usageError) Error() string { return e.cause }

// Advice is a command to paste.
func (e *usageError) Advice() string { return e.hint }

func usagef(format string, a ...any) error {
	return &usageError{fmt.Sprintf(format, a...), "jail --help"}
}

// A flag is one option. With a value it is given as --name VALUE or --name=VALUE.
type flag struct {
	name  string
	value string // what stands for the value in the help; empty: takes none
	help  string
	set   func(o *options, value string) error
}

// split reads the options and leaves the command.
func split(words []string) (options, error) {
	var o options
	rest := words
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' && rest[0] != "--" {
		var err error
		if rest, err = o.one(rest[0], rest[1:]); err != nil {
			return o, err
		}
	}
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	o.args = rest
	return o, o.clash()
}

// clash refuses options of which one would have no effect, before anything is
// looked at.
func (o *options) clash() error {
	switch {
	case o.json && !o.dryRun:
		return &usageError{"--json says how --dry-run prints", "jail --dry-run --json COMMAND"}
	case o.program && !o.dryRun:
		return &usageError{"--program says what --dry-run prints", "jail --dry-run --program COMMAND"}
	case o.json && o.program:
		return &usageError{"--json and --program exclude each other", "jail --dry-run --json COMMAND"}
	case o.explain != "" && o.dryRun:
		return &usageError{"--explain and --dry-run exclude each other", "jail --explain PATH COMMAND"}
	}
	return nil
}

// one reads the option w and returns the words that are left.
func (o *options) one(w string, rest []string) ([]string, error) {
	name, value, given := strings.Cut(w, "=")
	f := find(name)
	switch {
	case f == nil:
		return nil, usagef("unknown option %q%s", name, nearest(name))
	case f.value == "" && given:
		return nil, usagef("option %q takes no value", name)
	case f.value != "" && !given:
		if len(rest) == 0 {
			return nil, usagef("option %q needs a value: %s", name, f.value)
		}
		value, rest = rest[0], rest[1:]
	}
	if o.own = append(o.own, "--"+f.name); f.value != "" {
		o.own[len(o.own)-1] += "=" + value
	}
	if err := f.set(o, value); err != nil {
		return nil, &usageError{fmt.Sprintf("option %q: %v", name, err), "jail --" + f.name + " " + f.example() + " COMMAND"}
	}
	return rest, nil
}

// example is a value that somebody may type.
func (f *flag) example() string {
	first, _, _ := strings.Cut(f.value, "|")
	if f.value == "DURATION" {
		return "90s"
	}
	return first
}

func find(name string) *flag {
	if name == "-h" {
		name = "--help"
	}
	for i := range flags {
		if "--"+flags[i].name == name {
			return &flags[i]
		}
	}
	return nil
}

// nearest names the option that was most likely meant.
func nearest(name string) string {
	name = strings.TrimLeft(name, "-")
	names := make([]string, len(flags))
	for i := range flags {
		names[i] = flags[i].name
		if len(name) > 2 && strings.Contains(names[i], name) {
			return fmt.Sprintf(", did you mean --%s?", names[i])
		}
	}
	if near, ok := config.Nearest(name, names); ok {
		return fmt.Sprintf(", did you mean --%s?", near)
	}
	return ""
}

func mode(m plan.Mode) func(*options, string) error {
	return func(o *options, _ string) error { o.policy.Mode = m; return nil }
}

func on(field func(*options) *bool) func(*options, string) error {
	return func(o *options, _ string) error { *field(o) = true; return nil }
}

// choose is on or off for what a configuration may have chosen.
func choose(field func(*options) **bool) func(*options, string) error {
	return func(o *options, v string) error {
		if v != "on" && v != "off" {
			return fmt.Errorf("%q is not on or off", v)
		}
		is := v == "on"
		*field(o) = &is
		return nil
	}
}

// text is a value that must not be empty.
func text(field func(*options) *string) func(*options, string) error {
	return func(o *options, v string) error {
		if v == "" {
			return errors.New("it is empty")
		}
		*field(o) = v
		return nil
	}
}

// yes is on for what a configuration may have turned off.
func yes(field func(*options) **bool) func(*options, string) error {
	return func(o *options, _ string) error { t := true; *field(o) = &t; return nil }
}

func list(field func(*options) *[]string) func(*options, string) error {
	return func(o *options, v string) error {
		p := field(o)
		*p = append(*p, v)
		return nil
	}
}

// flags are all options, in the order of the help.
var flags = [...]flag{
	{"dry-run", "", "print what the command could access, run nothing", on(func(o *options) *bool { return &o.dryRun })},
	{"json", "", "with --dry-run: as one JSON object", on(func(o *options) *bool { return &o.json })},
	{"program", "", "with --dry-run: the system calls that make the jail", on(func(o *options) *bool { return &o.program })},
	{"explain", "PATH", "say why the command can or cannot see PATH, run nothing", text(func(o *options) *string { return &o.explain })},
	{"timings", "", "say where the time of the launch went", on(func(o *options) *bool { return &o.timings })},
	{"trace", "", "say afterwards what the command wanted and did not get", on(func(o *options) *bool { return &o.trace })},
	{"trace-to", "FILE", "write that to a new FILE, for jail-hook new --from-trace", text(func(o *options) *string { return &o.traceTo })},
	{"quiet", "", "print no notices of the jail's own", on(func(o *options) *bool { return &o.quiet })},
	{"worker", "", "for a disposable task: no GPU, no display, a short list of variables", mode(plan.Worker)},
	{"lockdown", "", "for a critical operation: everything read-only, no network", mode(plan.Lockdown)},
	{"mode", "normal|worker|lockdown", "how much the command is trusted with", text(func(o *options) *string { return (*string)(&o.policy.Mode) })},
	{"project", "DIR", "take DIR as the project", text(func(o *options) *string { return &o.project })},
	{"chdir", "DIR", "start in DIR, as if called from there", text(func(o *options) *string { return &o.chdir })},
	{"as-owner", "", "for root: become the owner of the project first", on(func(o *options) *bool { return &o.asOwner })},
	{"timeout", "DURATION", "end everything after that long, with status 124", timeout},
	{"network", "on|off", "the host's network, or none", text(func(o *options) *string { return &o.policy.Network })},
	{"no-net", "", "the same as --network off", func(o *options, _ string) error { o.policy.Network = "off"; return nil }},
	{"ro", "PATH[:PATH]", "show a path of the host, read-only", list(func(o *options) *[]string { return &o.policy.RO })},
	{"rw", "PATH[:PATH]", "show a path of the host, writable", list(func(o *options) *[]string { return &o.policy.RW })},
	{"mask", "PATTERN", "let what the pattern names read as empty", list(func(o *options) *[]string { return &o.policy.Mask })},
	{"mask-except", "PATTERN", "but not this", list(func(o *options) *[]string { return &o.policy.MaskExcept })},
	{"deny", "PATTERN", "let nothing open what the pattern names", list(func(o *options) *[]string { return &o.policy.Deny })},
	{"deny-except", "PATTERN", "but not this", list(func(o *options) *[]string { return &o.policy.DenyExcept })},
	{"env", "NAME[=VALUE]", "pass a variable whatever its name looks like", list(func(o *options) *[]string { return &o.policy.Env })},
	{"cache", "project|shared|host|none", "what keeps the packages that it downloads", text(func(o *options) *string { return &o.policy.Cache })},
	{"gpu", "on|off", "show the graphics cards, or not", choose(func(o *options) **bool { return &o.policy.GPU })},
	{"docker", "", "show the Docker socket, which is root on this host", yes(func(o *options) **bool { return &o.policy.Docker })},
	{"display", "", "show the sockets of X11 and Wayland", yes(func(o *options) **bool { return &o.policy.Display })},
	{"ssh", "", "show the socket of the ssh agent", yes(func(o *options) **bool { return &o.policy.SSH })},
	{"userns", "", "allow user namespaces: a browser's own sandbox", yes(func(o *options) **bool { return &o.policy.UserNS })},
	{"nested", "", "allow a sandbox inside to mount; gives up Landlock", yes(func(o *options) **bool { return &o.policy.Nested })},
	{"ptrace", "", "let a debugger trace the command's own processes", yes(func(o *options) **bool { return &o.policy.Ptrace })},
	{"no-landlock", "", "do without the second wall", yes(func(o *options) **bool { return &o.policy.NoLandlock })},
	{"strict", "", "refuse to run where anything is weakened", yes(func(o *options) **bool { return &o.policy.Strict })},
	{"version", "", "print the version", on(func(o *options) *bool { return &o.version })},
	{"help", "", "print this", on(func(o *options) *bool { return &o.help })},
}

func writeHelp(w io.Writer) {
	fmt.Fprint(w, `usage: jail [OPTION]... [--] COMMAND [ARGUMENT]...

Run COMMAND so that it sees its project and what it needs, and nothing else:
no home, no secrets, no other processes. Nothing after COMMAND is read as an
option of jail.

`)
	for i := range flags {
		f := &flags[i]
		name := "--" + f.name
		if f.value != "" {
			name += " " + f.value
		}
		fmt.Fprintf(w, "  %-24s %s\n", name, f.help)
	}
	fmt.Fprint(w, `
Exit status: that of COMMAND; 128+N and the same signal where signal N ended it;
124 where --timeout ended it, 125 where the jail failed or refused, 126 where
COMMAND cannot be executed, 127 where it is not found.
`)
}
