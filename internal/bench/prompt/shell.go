package main

import "fmt"

// A shell says how one shell does what is measured.
type shell struct {
	name         string
	args         []string // before a script
	evaluate     string   // loads what a command prints
	times        string   // a loop: how often, and the line
	prompt       string   // what the hook runs at a prompt
	direnv       string
	mise         string
	substitution string // one command substitution
}

func (sh shell) load(command string) string { return fmt.Sprintf(sh.evaluate, command) }

func (sh shell) repeat(n int, line string) string { return fmt.Sprintf(sh.times, n, line) }

func shells() []shell {
	return []shell{
		{
			name: "bash", args: []string{"--norc", "-c"}, evaluate: `eval "$(%s)"`, times: `for ((n = 0; n < %d; n++)); do %s; done`,
			prompt: `eval "$PROMPT_COMMAND"`, direnv: "_direnv_hook", mise: "_mise_hook", substitution: "x=$(/bin/true)",
		},
		{
			name: "zsh", args: []string{"-fc"}, evaluate: `eval "$(%s)"`, times: `repeat %d do %s; done`,
			prompt: "__jail_prompt", direnv: "_direnv_hook", mise: "_mise_hook", substitution: "x=$(/bin/true)",
		},
		{
			// seq is a program in fish, and would be counted.
			name: "fish", args: []string{"-N", "-c"}, evaluate: "%s | source", times: "for n in (string split ' ' (string repeat -n %d 'x ')); test -n \"$n\"; or continue; %s; end",
			prompt: "__jail_prompt", direnv: "__direnv_export_eval", mise: "__mise_env_eval", substitution: "set x (/bin/true)",
		},
	}
}
