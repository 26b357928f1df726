package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/outside"
	"jail/internal/sandbox/plan"
	"jail/internal/settings"
)

// hooks says, after a command that was to put hooks into git and could not, how the
// user gets them: git is told where they lie, outside, and they are written there from
// inside. What this machine then runs by itself is the user's own word.
func (c *caller) hooks(o options, p *plan.Plan) {
	if c.silent(o) || p.Mode == plan.Lockdown {
		return
	}
	s := outside.HooksOf(o.args, p.Process.Cwd, p.Root.Path, readManifest)
	if s.Tool == "" || !c.withoutHooks(s.Dir) {
		return
	}
	hint := "git config core.hooksPath .githooks && jail " + quoted(s.Run)
	if s.Path != "" {
		// It asks git to write into its configuration and gives up where that fails.
		hint = "jail --env GIT_CONFIG=/tmp/git " + quoted(s.Run) + " && git config core.hooksPath " + plan.Word(s.Path)
	}
	say(c.stderr, fmt.Sprintf("git's hooks are read-only inside, so %s sets none up", s.Tool), hint)
}

// withoutHooks reports whether tree has a repository of its own in which no hooks have
// been set up.
func (c *caller) withoutHooks(tree string) bool {
	config, err := readManifest(filepath.Join(tree, ".git/config"))
	if err != nil {
		return false
	}
	all, err := settings.GitEntries(string(config))
	if err != nil || slices.ContainsFunc(all, func(e settings.GitEntry) bool { return e.Section == "core" && e.Key == "hookspath" }) {
		return false
	}
	hooks, err := os.ReadDir(filepath.Join(tree, ".git/hooks"))
	return err == nil && !slices.ContainsFunc(hooks, func(e os.DirEntry) bool { return !strings.HasSuffix(e.Name(), ".sample") })
}
