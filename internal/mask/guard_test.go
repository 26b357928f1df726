package mask

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"jail/internal/sandbox/plan"
)

// pins returns what is pinned below root, read-only ones with a '!' in front.
func pins(root string, r Result) []string {
	var out []string
	for _, p := range r.Pins {
		name, _ := filepath.Rel(root, p.Source.Path)
		if p.ReadOnly {
			name = "!" + name
		}
		out = append(out, name)
	}
	return out
}

func TestPins(t *testing.T) { // H1, H3, H4
	for _, c := range []struct {
		name string
		tree []string
		want []string
	}{
		{"nothing", []string{"src/.vscode/x", "a/.git/config", "README", "mise.txt", ".github/workflows/x", ".husky/pre-commit", ".gitmodules", "CLAUDE.md"}, nil},
		{"ours", []string{".ai-jail/config.toml"}, []string{"!.ai-jail"}},
		{"another tool's", []string{".ai-jail"}, []string{"!.ai-jail"}},
		{"git", []string{".git/config", ".git/hooks/x", ".git/info/exclude", ".git/HEAD"}, []string{".git", "!.git/config", "!.git/hooks"}},
		{"git with attributes", []string{".git/config", ".git/config.worktree", ".git/info/attributes"}, []string{".git", "!.git/config", "!.git/config.worktree", ".git/info", "!.git/info/attributes"}},
		{"git with another's configuration", []string{".git/commondir"}, []string{".git", "!.git/commondir"}},
		{"git without anything", []string{".git/HEAD"}, nil},
		{"a worktree", []string{".git: gitdir: /x"}, []string{"!.git"}},
		{"a link to git's directory", []string{"real/config", "real/hooks/", ".git -> real"}, []string{".git", "real", "!real/config", "!real/hooks"}},
		{"a link to hooks", []string{".git/hooks -> ../.githooks", ".githooks/x", ".git/config"}, []string{".git", "!.git/config", "!.git/hooks", "!.githooks"}},
		{"a link to hooks further down", []string{".git/hooks -> ../tools/hooks", "tools/hooks/x"}, []string{".git", "!.git/hooks", "tools", "!tools/hooks"}},
		{"a link out", []string{".git/hooks -> /nonexistent", ".vscode -> /etc"}, []string{".git", "!.git/hooks", "!.vscode"}},
		{"a linked directory on the way", []string{".git/info -> ../i", "i/attributes"}, []string{".git/info", "i", "!i/attributes"}},
		{"a link to the root", []string{".vscode -> ."}, []string{"!.vscode"}},
		{
			"editors and shells",
			[]string{".vscode/settings.json", ".idea/x", ".envrc", "mise.toml", ".tool-versions", "x.code-workspace", ".devcontainer/x", ".exrc"},
			[]string{"!.devcontainer", "!.envrc", "!.exrc", "!.idea", "!.tool-versions", "!.vscode", "!mise.toml", "!x.code-workspace"},
		},
		{
			"agents",
			[]string{".claude/settings.json", ".claude/todos/x", ".claude/agents/y", ".mcp.json", ".cursor/rules", ".codex/config.toml", ".kiro/specs/x", ".kiro/settings/mcp.json"},
			[]string{".claude", "!.claude/agents", "!.claude/settings.json", "!.codex", "!.cursor", ".kiro", "!.kiro/settings", "!.mcp.json"},
		},
		{
			"of some kinds", []string{"mise.production.toml", ".mise.ci.toml", "mise.x/y", ".shadowenv.d/500.lisp", "x.sublime-project", ".vim/coc-settings.json", ".vim/notes", ".sl/config", ".sl/store/x", ".amp/settings.json"},
			[]string{"!.amp", "!.mise.ci.toml", "!.shadowenv.d", ".sl", "!.sl/config", ".vim", "!.vim/coc-settings.json", "!mise.production.toml", "!x.sublime-project"},
		},
		{"an agent's notes alone", []string{".claude/todos/x"}, nil},
		{"parts of mise", []string{"mise/config.toml", "mise/main.go", ".config/mise/x", ".config/other"}, []string{".config", "!.config/mise", "mise", "!mise/config.toml"}},
		{"mercurial", []string{".hg/hgrc", ".hg/store/x"}, []string{".hg", "!.hg/hgrc"}},
		{
			"jujutsu", []string{".jj/repo/config.toml", ".jj/repo/store/git/config", ".jj/repo/store/git/hooks/x", ".jj/working_copy/x"},
			[]string{".jj", ".jj/repo", "!.jj/repo/config.toml", ".jj/repo/store", ".jj/repo/store/git", "!.jj/repo/store/git/config", "!.jj/repo/store/git/hooks"},
		},
		{"in capitals", []string{".VSCode/x", ".Envrc"}, []string{"!.Envrc", "!.VSCode"}},
	} {
		root := tree(t, c.tree...)
		r := walkTree(t, root, Builtin())
		got := pins(root, r)
		slices.Sort(got)
		want := slices.Clone(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: pinned %q\nwant %q", c.name, got, want)
		}
		checkPins(t, root, r)
	}
}

// checkPins holds what a launch relies on: parents come first, every directory on
// the way is there, and the numbers are those of the file.
func checkPins(t *testing.T, root string, r Result) {
	t.Helper()
	seen := map[string]bool{root: true}
	for i, p := range r.Pins {
		if i > 0 && plan.ComparePaths(r.Pins[i-1].Source.Path, p.Source.Path) >= 0 {
			t.Errorf("%q comes too late", p.Source.Path)
		}
		if parent := filepath.Dir(p.Source.Path); !seen[parent] && p.ReadOnly {
			t.Errorf("%q is read-only, and %q above it can be renamed", p.Source.Path, parent)
		}
		seen[p.Source.Path] = true
		fi, err := os.Lstat(p.Source.Path)
		if err != nil || p.Source.ID.IsZero() || p.Source.Type == plan.Absent || p.Reason.Text == "" {
			t.Errorf("pin %+v: %v", p, err)
			continue
		}
		if link := fi.Mode()&os.ModeSymlink != 0; link != (p.Source.Type == plan.Symlink) || link != (p.Source.Link != "") {
			t.Errorf("pin %+v and mode %v", p, fi.Mode())
		}
	}
}

// TestPinsAndHits holds that one name may be both.
func TestPinsAndHits(t *testing.T) {
	root := tree(t, ".envrc", ".vscode/.env", ".git/config", ".ai-jail/x.key")
	r := walkTree(t, root, append(Builtin(), user(".envrc")...))
	wantPaths(t, "hidden", hits(root, r), []string{"!.ai-jail/x.key", ".envrc", ".vscode/.env"})
	wantPaths(t, "pinned", pins(root, r), []string{"!.ai-jail", "!.envrc", ".git", "!.git/config", "!.vscode"})
}

// Where somebody works, what the host runs by itself is read-only as in the root.
func TestWay(t *testing.T) {
	root := tree(t, "a/b/.git/config", "a/b/.git/hooks/x", "a/.envrc", "a/b/.vscode/x", "a/b/c/.git/config", ".git/config", "a/b/.claude/settings.json")
	got, err := Way(root, filepath.Join(root, "a/b"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"!a/.envrc", "a/b/.claude", "!a/b/.claude/settings.json", "a/b/.git", "!a/b/.git/config", "!a/b/.git/hooks", "!a/b/.vscode"}
	if names := pins(root, Result{Pins: got}); !slices.Equal(names, want) {
		t.Errorf("pinned %q\nwant %q", names, want)
	}
	if got, err := Way(root, root); err != nil || len(got) != 0 {
		t.Errorf("in the root: %v, %v", got, err)
	}
}
