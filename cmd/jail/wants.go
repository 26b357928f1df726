package main

import (
	"path/filepath"
	"slices"

	"jail/internal/sandbox/plan"
)

// A want is what some programs do and a jail refuses unless the user says otherwise.
// They fail with words about kernels and privileges that lead nowhere, so the launcher
// names the key.
type want struct {
	names []string
	what  string
	key   string // empty: there is none
	given func(s *plan.Seccomp) bool
}

const sandbox = "a sandbox of its own"

func wants() []want {
	return []want{{
		names: []string{"apptainer", "buildah", "bwrap", "bubblewrap", "firejail", "flatpak", "nix-build", "podman", "rootlesskit", "singularity", "unshare"},
		what:  sandbox, key: "nested", given: func(s *plan.Seccomp) bool { return s.Mounts },
	}, {
		// Each of their tabs is in namespaces. Playwright is none of them: it turns that
		// off unless it is told otherwise.
		names: []string{
			"brave", "brave-browser", "chrome", "chromium", "chromium-browser", "cypress", "electron", "google-chrome",
			"google-chrome-stable", "microsoft-edge", "msedge", "puppeteer",
		},
		what: sandbox, key: "userns", given: func(s *plan.Seccomp) bool { return s.UserNamespaces },
	}, {
		names: []string{"dlv", "gdb", "lldb", "ltrace", "strace"},
		what:  "to trace processes", key: "ptrace", given: func(s *plan.Seccomp) bool { return s.Ptrace },
	}, {
		names: []string{"bpftrace", "perf", "rr"},
		what:  "to hear from the kernel what processes do", given: func(*plan.Seccomp) bool { return false },
	}}
}

// wanted finds what a command that failed may have needed: by its program, or by what
// that is to run, as in npx cypress test. What is merely an argument, as in npm install
// puppeteer, is none, and neither is what only fetches a browser or asks for its version.
func wanted(args []string, s *plan.Seccomp) (name string, w want) {
	if slices.ContainsFunc(args, func(a string) bool { return a == "install" || a == "verify" || a == "--version" || a == "--help" }) {
		return "", want{}
	}
	words := args[:min(len(args), 2)]
	if len(args) > 2 && (args[1] == "exec" || args[1] == "run" || args[1] == "-m") {
		words = []string{args[0], args[2]}
	}
	for _, word := range words {
		for _, w := range wants() {
			if name := filepath.Base(word); slices.Contains(w.names, name) && !w.given(s) {
				return name, w
			}
		}
	}
	return "", want{}
}

// sayWanted says so after the command.
func (c *caller) sayWanted(p *plan.Plan) {
	switch name, w := wanted(p.Process.Args, p.Seccomp); {
	case name == "":
	case w.key == "":
		say(c.stderr, plan.Quote(name)+" may want "+w.what+", which nothing may inside", "jail-hook bypass -- COMMAND")
	default:
		say(c.stderr, plan.Quote(name)+" may want "+w.what+", which needs "+w.key+" = true", "jail --"+w.key+" COMMAND")
	}
}
