package later

import (
	"strings"

	"jail/internal/sandbox/plan"
	"jail/internal/settings"
)

// runsByConfig names the first key of a configuration that makes git run a program,
// or read more configuration, or that nobody has judged. A new repository, a clone,
// and the settings that people make in one have none of them.
func runsByConfig(content string) string {
	entries, err := settings.GitEntries(content)
	if err != nil {
		return "what it says and only git can read"
	}
	for _, e := range entries {
		if !harmless(e) {
			name := e.Section
			if e.Sub != "" {
				name += "." + e.Sub
			}
			return plan.Quote(short(name + "." + e.Key))
		}
	}
	return ""
}

// workTree is the directory that a configuration names as the work tree.
func workTree(content string) (dir string, set bool) {
	entries, _ := settings.GitEntries(content)
	for _, e := range entries {
		if e.Section == "core" && e.Sub == "" && e.Key == "worktree" {
			dir, set = e.Value, true
		}
	}
	return dir, set
}

func harmless(e settings.GitEntry) bool {
	switch e.Section {
	case "user", "author", "committer", "branch", "extensions", "init", "push", "pull", "fetch", "rebase", "gc", "pack",
		"index", "feature", "color", "column", "advice", "status", "log", "rerere", "commit", "tag", "stash", "checkout",
		"apply", "am", "blame", "grep", "repack", "transfer", "receive", "maintenance", "notes", "http", "i18n":
		return !strings.Contains(e.Key, "command") && !strings.Contains(e.Key, "hook") && !strings.Contains(e.Key, "program") &&
			!strings.Contains(e.Value, "!") && e.Key != "path"
	case "core":
		return harmlessCore(e)
	case "remote", "url", "submodule":
		return harmlessRemote(e)
	case "alias":
		return harmlessAlias(e.Value)
	case "lfs": // and not its extensions, which run at every look, nor its transfers
		return e.Key == "repositoryformatversion" || e.Key == "access" || e.Key == "locksverify"
	case "merge":
		return e.Sub == "" && e.Key != "tool"
	case "diff":
		return e.Sub == "" && e.Key != "external" && e.Key != "tool"
	}
	return false
}

func harmlessCore(e settings.GitEntry) bool {
	switch e.Key {
	case "fsmonitor": // as a boolean git's own
		switch strings.ToLower(e.Value) {
		case "", "true", "false", "yes", "no", "on", "off", "0", "1":
			return true
		}
		return false
	case "hookspath", "sshcommand", "pager", "editor", "askpass", "gitproxy", "alternaterefscommand":
		return false
	}
	return !strings.Contains(e.Key, "command")
}

// harmlessRemote knows that an address of the form PROGRAM::ARGUMENTS is a command.
func harmlessRemote(e settings.GitEntry) bool {
	switch e.Key {
	case "uploadpack", "receivepack", "vcs":
		return false
	}
	return !strings.Contains(e.Sub+e.Value, "::") && !strings.HasPrefix(strings.TrimSpace(e.Value), "!")
}

// harmlessAlias knows aliases of commands that run nothing whatever they are told. One
// of another name may be what the user types every day.
func harmlessAlias(value string) bool {
	command, _, _ := strings.Cut(value, " ")
	switch command {
	case "add", "blame", "branch", "checkout", "cherry-pick", "commit", "diff", "log", "ls-files", "merge", "reflog",
		"remote", "reset", "restore", "rev-parse", "revert", "shortlog", "show", "stash", "status", "switch", "tag":
		return true
	}
	return false
}
