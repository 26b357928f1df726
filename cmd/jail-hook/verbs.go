package main

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// verbs is the whole language of jail-hook, in the order of its help. The manual is
// held to it by a test, and the shells ask for it when they complete.
func (u *user) verbs() []*cli.Command {
	return slices.Concat(u.setUp(), u.decide(), u.inspect(), u.act())
}

// setUp is what puts jail into shells and projects.
func (u *user) setUp() []*cli.Command {
	return []*cli.Command{
		{
			Name: "init", Usage: "print the hook of a shell, and bring the shims up to date", ArgsUsage: "SHELL",
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "always", DisableDefaultText: true, Usage: "keep the shims on PATH everywhere, for scripts, editors and agents"},
				&cli.BoolFlag{Name: "no-cd", DisableDefaultText: true, Usage: "leave cd, pushd and popd alone (bash)"},
				&cli.BoolFlag{Name: "strict", DisableDefaultText: true, Usage: "make functions of the names too, which no later PATH comes before"},
			},
			Action: u.hook,
		},
		{
			Name: "uninit", Usage: "print code that takes the hook out of a shell", ArgsUsage: "SHELL",
			Action: u.uninit,
		},
		{
			Name: "new", Usage: "make the working directory a project, with a configuration to fill in",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "from-trace", Usage: "add what a command wanted, from a `FILE` of jail --trace-to, as comments"},
			},
			Action: u.create,
		},
		{
			Name: "shims", Usage: "list the shims, or bring them up to date", ArgsUsage: "[refresh]",
			Action: u.shims,
		},
		{
			Name: "import", Usage: "make lines of your configuration of another tool's ~/.ai-jail, asking",
			Flags:  []cli.Flag{&cli.BoolFlag{Name: "show", DisableDefaultText: true, Usage: "show, and change nothing"}},
			Action: u.importOther,
		},
		{
			Name: "completions", Usage: "print how a shell completes jail and jail-hook", ArgsUsage: "SHELL",
			Action: u.completions,
		},
	}
}

// decide is what the user decides about projects.
func (u *user) decide() []*cli.Command {
	return []*cli.Command{
		{
			Name: "trust", Usage: "show what a project's configuration asks for, and consent to it", ArgsUsage: "[DIRECTORY]",
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "show", DisableDefaultText: true, Usage: "show, and change nothing"},
				&cli.StringFlag{Name: "yes-hash", Usage: "consent without a question if the sum is `SHA256`"},
			},
			Action: u.trust,
		},
		{
			Name: "untrust", Usage: "end that consent", ArgsUsage: "[DIRECTORY]",
			Action: u.untrust,
		},
		{
			Name: "forget", Usage: "let a directory that was a project be none without its .ai-jail", ArgsUsage: "[DIRECTORY]",
			Action: u.forget,
		},
	}
}

// inspect is what looks and changes nothing.
func (u *user) inspect() []*cli.Command {
	return []*cli.Command{
		{
			Name: "status", Usage: "say whether commands are jailed here, and why; exit 0 if so, else 1",
			Flags:  []cli.Flag{&cli.BoolFlag{Name: "json", DisableDefaultText: true, Usage: "as one JSON object"}},
			Action: u.status,
		},
		{
			Name: "doctor", Usage: "say what keeps commands from being jailed, and what to type; exit 0 if nothing, else 1",
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "json", DisableDefaultText: true, Usage: "as one JSON object"},
				&cli.BoolFlag{Name: "names", DisableDefaultText: true, Usage: "read on standard input what the shell knows about names"},
			},
			Action: u.doctor,
		},
		{
			Name: "which", Usage: "print the real program behind a name", ArgsUsage: "NAME",
			Action: u.which,
		},
		{
			Name: "prompt", Usage: "print a few letters for a prompt; nothing outside of projects",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "format", Value: promptFormat, Usage: "`TEXT` with {state}, {name}, {root} and {mark} in it"},
			},
			Action: u.prompt,
		},
	}
}

// act is the rest.
func (u *user) act() []*cli.Command {
	return []*cli.Command{
		{
			Name: "cache", Usage: "show what the caches of jails take; clear those of this project, of one, or one kind", ArgsUsage: "[clear [ROOT|CACHE]]",
			Flags: []cli.Flag{
				&cli.BoolFlag{Name: "all", DisableDefaultText: true, Usage: "with clear: every cache"},
				&cli.BoolFlag{Name: "json", DisableDefaultText: true, Usage: "as one JSON list"},
			},
			Action: u.cache,
		},
		{
			Name: "bypass", Usage: "run one command without a jail", ArgsUsage: "[--] COMMAND [ARGUMENT]...",
			Action: u.bypass,
		},
	}
}
