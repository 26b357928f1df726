package later

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"jail/internal/needed"
)

func TestRunsByConfig(t *testing.T) {
	for content, want := range map[string]string{
		"": "",
		"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n": "",
		"[remote \"origin\"]\n\turl = git@github.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n":  "",
		"[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A\n":                 "",
		"[submodule \"x\"]\n\tactive = true\n\turl = https://example.org/x\n":                                   "",
		"[alias]\n\tst = status\n":                       "",
		"[core]\n\tfsmonitor = true\n":                   "",
		"[core]\n\tfsmonitor = touch x\n":                "core.fsmonitor",
		"[CORE]\n\tFSMonitor = \"touch x\"\n":            "core.fsmonitor",
		"[core]\n\thooksPath = .husky/_\n":               "core.hookspath",
		"[core]\n\tsshCommand = x\n":                     "core.sshcommand",
		"[core]\n\tpager = x\n":                          "core.pager",
		"[core]\n\talternateRefsCommand = x\n":           "core.alternaterefscommand",
		"[filter \"x\"]\n\tclean = evil\n":               "filter.x.clean",
		"[diff]\n\texternal = evil\n":                    "diff.external",
		"[diff \"x\"]\n\ttextconv = evil\n":              "diff.x.textconv",
		"[merge \"x\"]\n\tdriver = evil\n":               "merge.x.driver",
		"[credential]\n\thelper = !evil\n":               "credential.helper",
		"[include]\n\tpath = ../evil\n":                  "include.path",
		"[includeIf \"gitdir:x\"]\n\tpath = ../evil\n":   "includeif.gitdir:x.path",
		"[remote \"x\"]\n\turl = ext::sh -c evil\n":      "remote.x.url",
		"[remote \"x\"]\n\tuploadpack = evil\n":          "remote.x.uploadpack",
		"[submodule \"x\"]\n\tupdate = !evil\n":          "submodule.x.update",
		"[alias]\n\tst = !evil\n":                        "alias.st",
		"[gpg]\n\tprogram = evil\n":                      "gpg.program",
		"[hook \"x\"]\n\tcommand = evil\n":               "hook.x.command",
		"[unheardof]\n\tkey = value\n":                   "unheardof.key",
		"[core\n\tfsmonitor = git refuses such a file\n": "what it says and only git can read",
		"\ufeff[core]\n\tfsmonitor = x\n":                "core.fsmonitor",
		"[a\r\"b\"]\n[core]\n\tfsmonitor = x\n":          "core.fsmonitor",
		"x = 1\n[core]\n\tfsmonitor = x\n":               "what it says and only git can read",
		"[alias]\n\tst = difftool -x evil\n":             "alias.st",
		"[alias]\n\tlg = log --oneline\n":                "",
		"[lfs \"extension.x\"]\n\tclean = evil\n":        "lfs.extension.x.clean",
		"[url \"evil::x\"]\n\tinsteadOf = a\n":           "url.evil::x.insteadof",
	} {
		if got := runsByConfig(content); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

// What git itself writes is not held against a repository.
func TestNewRepositoriesRunNothing(t *testing.T) {
	git := needed.Program(t, "git")
	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "a"}, {"-C", "a", "commit", "-q", "--allow-empty", "-m", "x"}, {"clone", "-q", "a", "b"},
		{"-C", "b", "-c", "protocol.file.allow=always", "submodule", "add", "-q", filepath.Join(dir, "a"), "sub"},
		{"-C", "a", "worktree", "add", "-q", "../w"}, {"clone", "-q", "--bare", "a", "bare"},
	} {
		cmd := exec.Command(git, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@e", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@e")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	for _, name := range []string{"a/.git/config", "b/.git/config", "b/.git/modules/sub/config", "bare/config"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if why := runsByConfig(string(b)); why != "" {
			t.Errorf("%s would run %s:\n%s", name, why, b)
		}
	}
}
