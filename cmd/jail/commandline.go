package main

import (
	"fmt"
	"io"
	"strings"

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
	dryRun  bool
	json    bool
	program bool
	quiet   bool
	help    bool
	version bool
	args    []string // the command and its arguments
}

// A usageError is a command line that means nothing.
type usageError struct{ cause string }

func (e *usageError) Error() string { return e.cause }

func usagef(format string, a ...any) error { return &usageError{fmt.Sprintf(format, a...)} }

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
	for len(words) > 0 {
		w := words[0]
		if w == "--" {
			o.args = words[1:]
			return o, nil
		}
		if len(w) < 2 || w[0] != '-' {
			o.args = words
			return o, nil
		}
		rest, err := o.one(w, words[1:])
		if err != nil {
			return o, err
		}
		words = rest
	}
	return o, nil
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
	if err := f.set(o, value); err != nil {
		return nil, usagef("option %q: %v", name, err)
	}
	return rest, nil
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

// nearest names an option that was perhaps meant.
func nearest(name string) string {
	name = strings.TrimLeft(name, "-")
	for i := range flags {
		n := flags[i].name
		if len(name) > 2 && (strings.Contains(n, name) || strings.Contains(name, n)) {
			return fmt.Sprintf(", did you mean --%s?", n)
		}
	}
	return ""
}

func mode(m plan.Mode) func(*options, string) error {
	return func(o *options, _ string) error { o.policy.Mode = m; return nil }
}

func on(field func(*options) *bool) func(*options, string) error {
	return func(o *options, _ string) error { *field(o) = true; return nil }
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
	{"quiet", "", "print no notices of the jail's own", on(func(o *options) *bool { return &o.quiet })},
	{"worker", "", "for a disposable task: no GPU, no display, a short list of variables", mode(plan.Worker)},
	{"lockdown", "", "for a critical operation: everything read-only, no network", mode(plan.Lockdown)},
	{"mode", "MODE", "normal, worker or lockdown", func(o *options, v string) error { o.policy.Mode = plan.Mode(v); return nil }},
	{"network", "on|off", "the host's network, or none", func(o *options, v string) error { o.policy.Network = v; return nil }},
	{"no-net", "", "the same as --network off", func(o *options, _ string) error { o.policy.Network = "off"; return nil }},
	{"ro", "PATH[:PATH]", "show a path of the host, read-only", list(func(o *options) *[]string { return &o.policy.RO })},
	{"rw", "PATH[:PATH]", "show a path of the host, writable", list(func(o *options) *[]string { return &o.policy.RW })},
	{"mask", "PATTERN", "let what the pattern names read as empty", list(func(o *options) *[]string { return &o.policy.Mask })},
	{"mask-except", "PATTERN", "but not this", list(func(o *options) *[]string { return &o.policy.MaskExcept })},
	{"deny", "PATTERN", "let nothing open what the pattern names", list(func(o *options) *[]string { return &o.policy.Deny })},
	{"deny-except", "PATTERN", "but not this", list(func(o *options) *[]string { return &o.policy.DenyExcept })},
	{"env", "NAME[=VALUE]", "pass a variable whatever its name looks like", list(func(o *options) *[]string { return &o.policy.Env })},
	{"cache", "BACKING", "project, shared, host or none", func(o *options, v string) error { o.policy.Cache = v; return nil }},
	{"gpu", "", "show the graphics cards", yes(func(o *options) **bool { return &o.policy.GPU })},
	{"userns", "", "allow user namespaces: a browser's own sandbox", yes(func(o *options) **bool { return &o.policy.UserNS })},
	{"nested", "", "allow a sandbox inside to mount; gives up Landlock", yes(func(o *options) **bool { return &o.policy.Nested })},
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
125 where the jail failed or refused, 126 where COMMAND cannot be executed,
127 where it is not found.
`)
}
