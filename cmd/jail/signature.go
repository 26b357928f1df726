package main

import (
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/sandbox/plan"
	"jail/internal/settings"
)

// commits reports whether a command makes commits: git commit, npm version patch.
func commits(args []string) bool {
	words := slices.DeleteFunc(slices.Clone(args[1:]), func(a string) bool { return strings.HasPrefix(a, "-") })
	if len(words) == 0 {
		return false
	}
	switch filepath.Base(args[0]) {
	case "git":
		return slices.Contains([]string{"am", "cherry-pick", "commit", "merge", "rebase", "revert"}, words[0])
	case "npm", "pnpm", "yarn":
		return words[0] == "version" && len(args) > 2 && !slices.Contains(args, "--no-git-tag-version")
	}
	return false
}

// sayUnsigned says of what was committed that it bears no signature, where its user wants
// one: by the home's settings, which are shown without that, or else every commit inside
// would fail. Where the repository wants one, it does.
func (c *caller) sayUnsigned(o options, p *plan.Plan, code int) {
	if c.silent(o) || !commits(o.args) {
		return
	}
	left := slices.ContainsFunc(c.copies, func(s plan.Copy) bool { return slices.Contains(s.Left, "commit.gpgSign") })
	switch {
	case code == 0 && left:
		hint := "git commit --amend --no-edit"
		if filepath.Base(o.args[0]) != "git" {
			hint += " && git tag -f TAG" // it made one, which stays where it is
		}
		say(c.stderr, "what was committed is not signed: no key is inside", hint)
	case code != 0 && signs(p.Root.Path):
		say(c.stderr, "git signs commits here, and no key is inside", outsideCommit(o.args))
	}
}

// outsideCommit is what commits outside, of a command that git is, or else what leaves
// the commit to its user.
func outsideCommit(args []string) string {
	if filepath.Base(args[0]) == "git" {
		return quoted(args)
	}
	return quoted(append(slices.Clone(args), "--no-git-tag-version"))
}

// signs reports whether the repository in dir has its commits signed.
func signs(dir string) bool {
	config, err := readManifest(filepath.Join(dir, ".git/config"))
	if err != nil {
		return false
	}
	all, err := settings.GitEntries(string(config))
	return err == nil && slices.ContainsFunc(all, func(e settings.GitEntry) bool {
		return e.Section == "commit" && e.Key == "gpgsign" && e.Value != "false"
	})
}
