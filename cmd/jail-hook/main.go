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
