package main

import (
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

func TestOwnSandbox(t *testing.T) {
	for _, c := range []struct {
		line     string
		filter   plan.Seccomp
		key, who string
	}{
		{"bwrap --ro-bind / / true", plan.Seccomp{}, "nested", "bwrap"},
		{"/usr/bin/bwrap true", plan.Seccomp{UserNamespaces: true}, "nested", "bwrap"},
		{"bwrap true", plan.Seccomp{UserNamespaces: true, Mounts: true}, "", ""},
		{"npx playwright test", plan.Seccomp{}, "userns", "playwright"},
		{"npx playwright test", plan.Seccomp{UserNamespaces: true}, "", ""},
		{"python3 -m playwright", plan.Seccomp{}, "userns", "playwright"},
		{"pnpm exec playwright", plan.Seccomp{}, "userns", "playwright"},
		{"node node_modules/.bin/playwright", plan.Seccomp{}, "userns", "playwright"},
		{"npm install playwright", plan.Seccomp{}, "", ""},
		{"cat playwright.log chrome", plan.Seccomp{}, "", ""},
		{"true", plan.Seccomp{}, "", ""},
	} {
		if key, who := ownSandbox(strings.Fields(c.line), &c.filter); key != c.key || who != c.who {
			t.Errorf("%s with %+v: %q for %q, want %q for %q", c.line, c.filter, key, who, c.key, c.who)
		}
	}
}
