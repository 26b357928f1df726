package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"jail/internal/shim"
	"jail/shell"
)

// completions prints the code by which a shell completes both programs, or the
// words that such code asks for.
func (u *user) completions(c *cli.Context) error {
	list := c.Args().Slice()
	switch {
	case len(list) == 0:
		return usagef("completions needs %s", c.Command.ArgsUsage)
	case list[0] == "words":
		u.words(list[1:])
		return nil
	case len(list) > 1:
		return usagef("completions: too many arguments: %q", list[1])
	}
	code, ok := shell.Completion(list[0])
	if !ok {
		return usagef("unknown shell %q; there are %s", list[0], strings.Join(shell.Shells(), ", "))
	}
	fmt.Fprint(u.stdout, code)
	return nil
}

// words prints what may stand behind the words that have been typed, one a line: a
// word, a tab, and what it means. <directory> and <command> stand for what a shell
// knows better. Words that make no sense have none behind them.
func (u *user) words(typed []string) {
	if len(typed) == 0 {
		for _, v := range u.verbs() {
			fmt.Fprintf(u.stdout, "%s\t%s\n", v.Name, v.Usage)
		}
		return
	}
	for _, v := range u.verbs() {
		if v.Name == typed[0] {
			u.behind(v, typed[1:])
		}
	}
}

// behind prints the options of a verb, and its next argument.
func (u *user) behind(v *cli.Command, typed []string) {
	verbs, arguments, value := u.verbs(), 0, false
	for _, word := range typed {
		switch {
		case value:
			value = false
		case strings.HasPrefix(word, "-"):
			value = takesValue(verbs, v.Name, word)
		default:
			arguments++
		}
	}
	if value {
		return
	}
	for _, f := range v.Flags {
		sign, usage := "", ""
		if _, ok := f.(*cli.StringFlag); ok {
			sign = "="
		}
		if d, ok := f.(cli.DocGenerationFlag); ok {
			usage = strings.ReplaceAll(d.GetUsage(), "`", "")
		}
		fmt.Fprintf(u.stdout, "--%s%s\t%s\n", f.Names()[0], sign, usage)
	}
	if all := places(v); arguments < len(all) {
		for _, kind := range all[arguments] {
			u.argument(kind)
		}
	}
}

// places are the arguments of a verb, each with what may stand there.
func places(v *cli.Command) (all [][]string) {
	for _, word := range strings.Fields(strings.NewReplacer("[", "", "]", "", "...", "").Replace(v.ArgsUsage)) {
		all = append(all, strings.Split(word, "|"))
	}
	return all
}

// argument prints what a place in the usage of a verb stands for.
func (u *user) argument(kind string) {
	list := func(words []string) {
		for _, w := range words {
			fmt.Fprintln(u.stdout, oneLine(w))
		}
	}
	switch kind {
	case "SHELL":
		list(shell.Shells())
	case "CACHE":
		list(shim.CacheNames())
	case "DIRECTORY", "ROOT":
		list([]string{"<directory>"})
	case "NAME", "COMMAND":
		list([]string{"<command>"})
	default:
		if kind == strings.ToLower(kind) {
			list([]string{kind})
		}
	}
}
