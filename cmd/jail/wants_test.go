package main

import (
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

func TestWanted(t *testing.T) {
	for _, c := range []struct {
		line     string
		filter   plan.Seccomp
		key, who string
	}{
		{"bwrap --ro-bind / / true", plan.Seccomp{}, "nested", "bwrap"},
		{"/usr/bin/bwrap true", plan.Seccomp{UserNamespaces: true}, "nested", "bwrap"},
		{"bwrap true", plan.Seccomp{UserNamespaces: true, Mounts: true}, "", ""},
		{"npx cypress test", plan.Seccomp{}, "userns", "cypress"},
		{"npx cypress test", plan.Seccomp{UserNamespaces: true}, "", ""},
		{"python3 -m cypress", plan.Seccomp{}, "userns", "cypress"},
		{"pnpm exec cypress", plan.Seccomp{}, "userns", "cypress"},
		{"node node_modules/.bin/cypress", plan.Seccomp{}, "userns", "cypress"},
		{"npm install cypress", plan.Seccomp{}, "", ""},
		{"npx cypress install", plan.Seccomp{}, "", ""},
		{"npx electron --version", plan.Seccomp{}, "", ""},
		{"npx playwright test", plan.Seccomp{}, "", ""},
		{"cat cypress.log chrome", plan.Seccomp{}, "", ""},
		{"gdb ./a.out", plan.Seccomp{}, "ptrace", "gdb"},
		{"npx strace npm ci", plan.Seccomp{}, "ptrace", "strace"},
		{"gdb ./a.out", plan.Seccomp{Ptrace: true}, "", ""},
		{"perf stat true", plan.Seccomp{Ptrace: true}, "", "perf"},
		{"true", plan.Seccomp{}, "", ""},
	} {
		if who, w := wanted(strings.Fields(c.line), &c.filter); w.key != c.key || who != c.who {
			t.Errorf("%s with %+v: %q for %q, want %q for %q", c.line, c.filter, w.key, who, c.key, c.who)
		}
	}
}
