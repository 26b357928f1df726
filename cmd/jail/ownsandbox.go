package main

import (
	"path/filepath"
	"slices"

	"jail/internal/sandbox/plan"
)

// What some programs need and a jail refuses unless the user says otherwise: to make
// a sandbox of their own. They fail with words about kernels and privileges that
// lead nowhere, so the launcher names the key.

// nesters make a sandbox with mounts in it.
var nesters = [...]string{"apptainer", "buildah", "bwrap", "bubblewrap", "firejail", "flatpak", "nix-build", "podman", "rootlesskit", "singularity", "unshare"}

// browsers put each of their tabs into user namespaces. Playwright is none of them: it
// turns that off unless it is told otherwise.
var browsers = [...]string{
	"brave", "brave-browser", "chrome", "chromium", "chromium-browser", "cypress", "electron", "google-chrome",
	"google-chrome-stable", "microsoft-edge", "msedge", "puppeteer",
}

// ownSandbox names the key that a command which failed may have needed: by its
// program, or by what that is to run, as in npx playwright test. What is merely an
// argument, as in npm install puppeteer, is none, and neither is what only fetches a
// browser or asks for its version.
func ownSandbox(args []string, s *plan.Seccomp) (key, name string) {
	if slices.ContainsFunc(args, func(a string) bool { return a == "install" || a == "verify" || a == "--version" || a == "--help" }) {
		return "", ""
	}
	words := args[:min(len(args), 2)]
	if len(args) > 2 && (args[1] == "exec" || args[1] == "run" || args[1] == "-m") {
		words = []string{args[0], args[2]}
	}
	for _, w := range words {
		switch name := filepath.Base(w); {
		case slices.Contains(nesters[:], name) && !s.Mounts:
			return "nested", name
		case slices.Contains(browsers[:], name) && !s.UserNamespaces:
			return "userns", name
		}
	}
	return "", ""
}

// tracers look into other processes, which no key allows.
var tracers = [...]string{"bpftrace", "dlv", "gdb", "lldb", "ltrace", "perf", "rr", "strace"}

// sayOwnSandbox says so after the command.
func (c *caller) sayOwnSandbox(p *plan.Plan) {
	if name := filepath.Base(p.Process.Args[0]); slices.Contains(tracers[:], name) {
		say(c.stderr, plan.Quote(name)+" looks into other processes, which nothing does inside", "jail-hook bypass -- COMMAND")
	}
	if key, name := ownSandbox(p.Process.Args, p.Seccomp); key != "" {
		say(c.stderr, plan.Quote(name)+" may want a sandbox of its own, which needs "+key+" = true", "jail --"+key+" COMMAND")
	}
}
