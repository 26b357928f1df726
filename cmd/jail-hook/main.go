package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"jail/internal/version"
)

func main() { os.Exit(run(os.Args, os.Environ(), os.Stdout, os.Stderr)) }

// run is the whole program. It returns the status to exit with.
func run(argv, env []string, stdout, stderr io.Writer) int {
	u := newUser(env, stdout, stderr)
	err := u.app().Run(arrange(argv, u.verbs()))
	var silent *statusError
	if errors.As(err, &silent) {
		return silent.status
	}
	return u.report(err)
}

// arrange puts the flags of a verb before its arguments: the library stops
// reading flags at the first word that is none, and `init bash --always` is how
// people write it. What follows `--` stays as it is.
//
// The words of bypass are a command and its arguments, those of completions what
// somebody has typed so far: none of them is ours, but for a first one that asks
// for help.
func arrange(argv []string, verbs []*cli.Command) []string {
	if len(argv) < 3 || strings.HasPrefix(argv[1], "-") {
		return argv
	}
	if argv[1] == "bypass" || argv[1] == "completions" {
		if strings.HasPrefix(argv[2], "-") {
			return argv
		}
		return slices.Concat(argv[:2], []string{"--"}, argv[2:])
	}
	flags, words := []string{argv[0], argv[1]}, []string{"--"}
	value := false // the word belongs to the flag before it
	for i, word := range argv[2:] {
		if word == "--" {
			words = append(words, argv[2+i+1:]...)
			break
		}
		if value || len(word) > 1 && word[0] == '-' {
			flags = append(flags, word)
			value = !value && takesValue(verbs, argv[1], word)
		} else {
			words = append(words, word)
		}
	}
	return append(flags, words...)
}

// takesValue reports whether word is an option of verb and the next word its value.
func takesValue(verbs []*cli.Command, verb, word string) bool {
	i := slices.IndexFunc(verbs, func(c *cli.Command) bool { return c.Name == verb })
	if i < 0 {
		return false
	}
	return slices.ContainsFunc(verbs[i].Flags, func(f cli.Flag) bool {
		s, ok := f.(*cli.StringFlag)
		return ok && strings.TrimLeft(word, "-") == s.Name
	})
}

// app is the command line.
func (u *user) app() *cli.App {
	app := &cli.App{
		Name:      "jail-hook",
		Usage:     "set up jail for your shell, and look at it",
		UsageText: "jail-hook VERB [ARGUMENTS]",
		Flags:     []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print the version", DisableDefaultText: true}},
		Description: "Put this at the end of ~/.bashrc:\n\n   eval \"$(jail-hook init bash)\"\n\n" +
			"From then on npm, pip, python3 and the like run in a jail wherever a\ndirectory .ai-jail stands at or above the working directory.",
		Commands:                  u.verbs(),
		HideHelpCommand:           true,
		DisableSliceFlagSeparator: true,
		Writer:                    u.stdout,
		ErrWriter:                 u.stderr,
		OnUsageError:              onUsageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // the library's own would exit here
		Action:                    u.noVerb,
	}
	for _, verb := range app.Commands {
		verb.OnUsageError = onUsageError
		verb.HideHelpCommand = true
	}
	return app
}

// noVerb runs where no verb is recognised.
func (u *user) noVerb(c *cli.Context) error {
	switch {
	case c.Bool("version"):
		fmt.Fprintf(u.stdout, "jail-hook %s\n", version.String())
		return nil
	case c.NArg() == 0:
		return usagef("no verb")
	}
	return usagef("unknown verb %q", c.Args().First())
}

func onUsageError(_ *cli.Context, err error, _ bool) error {
	return usagef("%s", lowerFirst(err.Error()))
}

func (u *user) verbs() []*cli.Command {
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
		{
			Name: "import", Usage: "make lines of your configuration of another tool's ~/.ai-jail, asking",
			Flags:  []cli.Flag{&cli.BoolFlag{Name: "show", DisableDefaultText: true, Usage: "show, and change nothing"}},
			Action: u.importOther,
		},
		{
			Name: "shims", Usage: "list the shims, or bring them up to date", ArgsUsage: "[refresh]",
			Action: u.shims,
		},
		{
			Name: "which", Usage: "print the real program behind a name", ArgsUsage: "NAME",
			Action: u.which,
		},
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
		{
			Name: "prompt", Usage: "print a few letters for a prompt; nothing outside of projects",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "format", Value: promptFormat, Usage: "`TEXT` with {state}, {name}, {root} and {mark} in it"},
			},
			Action: u.prompt,
		},
		{
			Name: "completions", Usage: "print how a shell completes jail and jail-hook", ArgsUsage: "SHELL",
			Action: u.completions,
		},
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
	}
}

// words returns the arguments of a verb, which takes between least and most.
func words(c *cli.Context, least, most int) ([]string, error) {
	list := c.Args().Slice()
	switch {
	case len(list) < least:
		return nil, usagef("%s needs %s", c.Command.Name, c.Command.ArgsUsage)
	case len(list) > most:
		return nil, usagef("%s: too many arguments: %q", c.Command.Name, list[most])
	}
	return list, nil
}
