package later

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"jail/internal/mask"
	"jail/internal/sandbox/plan"
)

// write makes files: "dir/", "link -> text", "file: content"; a '+' in front of the
// name makes it executable.
func write(t *testing.T, root string, files ...string) {
	t.Helper()
	for _, f := range files {
		name, content, _ := strings.Cut(f, ": ")
		mode := os.FileMode(0o644)
		if rest, ok := strings.CutPrefix(name, "+"); ok {
			name, mode = rest, 0o755
		}
		path := filepath.Join(root, name)
		if link, text, ok := strings.Cut(name, " -> "); ok {
			if err := os.Symlink(text, filepath.Join(root, link)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	tame = "[core]\n\tbare = false\n"
	evil = "[core]\n\tfsmonitor = touch ran\n"
)

func TestEnd(t *testing.T) {
	for _, c := range []struct {
		name    string
		cwd     string
		before  []string
		pinned  []string
		after   []string
		held    []string
		changed []string
	}{
		{name: "nothing", before: []string{".git/config: " + tame}, pinned: []string{".git", ".git/config"}},
		{name: "a tame repository", after: []string{".git/config: " + tame, ".git/HEAD: x", "+.git/hooks/x.sample: x"}},
		{name: "a repository that runs", after: []string{".git/config: " + evil}, held: []string{".git core.fsmonitor"}},
		{name: "above", cwd: "a/b", after: []string{"a/.git/config: " + evil}, held: []string{"a/.git core.fsmonitor"}},
		{name: "hooks", after: []string{"+.git/hooks/pre-commit: x"}, held: []string{".git hooks/pre-commit"}},
		{name: "a file", after: []string{".git: gitdir: x", "x/config: " + evil}, held: []string{".git core.fsmonitor"}},
		{name: "a file that leads out", after: []string{".git: gitdir: ../x"}, held: []string{".git " + elsewhere}},
		{name: "a link", after: []string{"x/config: " + evil, ".git -> x"}, held: []string{".git core.fsmonitor"}},
		{name: "a link that leads out", after: []string{".git -> /etc"}, held: []string{".git " + elsewhere}},
		{name: "a worktree's own", after: []string{".git/config.worktree: " + evil}, held: []string{".git core.fsmonitor"}},
		{name: "borrowed", after: []string{".git/commondir: ../x", "x/config: " + evil}, held: []string{".git core.fsmonitor"}},
		{name: "borrowed from outside", after: []string{".git/commondir: ../../x"}, held: []string{".git " + elsewhere}},
		{
			name: "parts of an old one", before: []string{".git/config: " + tame}, pinned: []string{".git", ".git/config"},
			after: []string{".git/commondir: ../x", "+.git/hooks/post-checkout: x", ".git/config.worktree: " + evil},
			held:  []string{".git/commondir the configuration of another repository", ".git/config.worktree core.fsmonitor", ".git/hooks hooks/post-checkout"},
		},
		{name: "bare", after: []string{"HEAD: x", "objects/", "refs/", "config: " + evil}, held: []string{"HEAD core.fsmonitor"}},
		{
			name: "further configuration", before: []string{".git/config: [include]\n\tpath = ../shared\n", "shared: " + tame}, pinned: []string{".git", ".git/config"},
			after: []string{"shared: " + evil}, held: []string{"shared core.fsmonitor"},
		},
		{
			name: "further configuration of before", before: []string{".git/config: [include]\n\tpath = ../shared\n", "shared: " + evil}, pinned: []string{".git", ".git/config"},
			after: []string{"other: x"},
		},
		{
			name: "hooks of the project", before: []string{".git/config: [core]\n\thooksPath = .husky/_\n", "+.husky/_/pre-commit: x"}, pinned: []string{".git", ".git/config"},
			after: []string{"+.husky/_/pre-commit: y", "+.husky/_/post-index-change: evil"}, held: []string{".husky/_/post-index-change .husky/_/post-index-change"},
		},
		{
			name: "hooks of the project, by hand", before: []string{".git/config: [core]\n\thooksPath = .githooks\n", "+.githooks/pre-commit: x", "+.githooks/pre-push: x"}, pinned: []string{".git", ".git/config"},
			after: []string{"+.githooks/pre-commit: y"}, changed: []string{".githooks/pre-commit (a hook of git's)"},
		},
		{
			name: "where nobody stands", before: []string{"a/mise.toml: x", "a/.vscode/tasks.json: {}", "a/.idea/run/x.xml: x", "b/.envrc: x", "b/.vscode/tasks.json: {}", "c/.ai-jail/config.toml: x", "d/mise: x", "d/.claude/todos: x"},
			after:   []string{"a/mise.toml: y", "a/.vscode/tasks.json: {1}", "a/.idea/run/x.xml: y", "b/.exrc: x", "c/.ai-jail/config.toml: y", "d/mise: y", "d/.claude/todos: y", "d/.claude/settings.json: {}", "e/.envrc: x"},
			changed: []string{"a/.idea", "a/.vscode", "a/mise.toml", "b/.exrc", "c/.ai-jail", "d/.claude/settings.json"},
		},
		{name: "among dependencies, settings", before: []string{"node_modules/m/.vscode/x: y"}, after: []string{"node_modules/m/.vscode/x: z"}},
		{name: "a manager of hooks", before: []string{"lefthook.yml: x"}, after: []string{"lefthook-local.json: x"}, changed: []string{"lefthook-local.json"}},
		{
			name: "under another name", before: []string{".git: gitdir: store\n", "store/config: " + tame}, pinned: []string{".git", "store", "store/config"},
			after: []string{"store/commondir: ../x", "+store/hooks/post-checkout: x", "store/config.worktree: " + evil},
			held:  []string{"store/commondir the configuration of another repository", "store/config.worktree core.fsmonitor", "store/hooks hooks/post-checkout"},
		},
		{
			name: "a rebase", before: []string{".git/config: " + tame}, pinned: []string{".git", ".git/config"},
			after: []string{".git/rebase-merge/git-rebase-todo: pick 1 x\n# exec no\n exec\techo x\n"}, changed: []string{".git/rebase-merge/git-rebase-todo (git rebase --continue runs commands of it)"},
		},
		{
			name: "a rebase that runs nothing", before: []string{".git/config: " + tame}, pinned: []string{".git", ".git/config"},
			after: []string{".git/rebase-merge/git-rebase-todo: pick 1 exec x\n# x y\nbreak\n"},
		},
		{name: "a rebase in a new repository", after: []string{".git/config: " + tame, ".git/rebase-merge/git-rebase-todo: x false\n"}, changed: []string{".git/rebase-merge/git-rebase-todo (git rebase --continue runs commands of it)"}},
		{name: "not quite bare", after: []string{"HEAD: x", "refs/", "config: " + evil}},
		{name: "a taken name", after: []string{".git.jail-held/x: x", ".git/config: " + evil}, held: []string{".git core.fsmonitor"}},
		{
			name: "scripts", before: []string{`package.json: {"scripts": {"a": "1", "b": "2"}}`},
			after: []string{`package.json: {"scripts": {"a": "1", "b": "3", "postinstall": "x"}, "dependencies": {}}`}, changed: []string{"package.json (scripts: b postinstall)"},
		},
		{
			name: "dependencies", before: []string{`package.json: {"scripts": {"a": "1"}}`},
			after: []string{`package.json: {"scripts": {"a": "1"}, "dependencies": {"x": "1"}}`},
		},
		{name: "a new package", after: []string{`package.json: {"scripts": {"a": "1"}}`}},
		{name: "editors", after: []string{".envrc: x", ".vscode/tasks.json: x", ".claude/settings.json: x", ".claude/notes: x"}, changed: []string{".claude/settings.json", ".envrc", ".vscode"}},
		{name: "where one works", cwd: "a", after: []string{"a/.envrc: x"}, changed: []string{"a/.envrc"}},
		{name: "pipelines", after: []string{".github/workflows/ci.yml: x", ".husky/pre-commit: x", ".husky/_/h: x", ".gitlab-ci.yml: x"}, changed: []string{".github/workflows/ci.yml", ".gitlab-ci.yml", ".husky/pre-commit"}},
		{
			name: "what looks like another", before: []string{`package.json: {}`}, after: []string{".husky/a (x, b: x", `package.json: {"scripts": {"a) and 0 more": "1"}}`},
			changed: []string{"\".husky/a (x, b\"", "package.json (scripts: \"a) and 0 more\")"},
		},
		{name: "an install", after: []string{"+node_modules/.bin/tsc: x", "node_modules/.bin/eslint -> x", "+.venv/bin/python3: x", "+.venv/bin/pip: x"}},
		{name: "a program of the system's name", after: []string{"+node_modules/.bin/ls: x"}, changed: []string{"node_modules/.bin/ls (hides the system's)"}},
		{name: "a clone", after: []string{"x/.git/config: " + tame}},
		{name: "a clone that runs", after: []string{"x/.git/config: " + evil}, held: []string{"x/.git core.fsmonitor"}},
		{name: "in a directory that was there", before: []string{"src/deep/x"}, after: []string{"src/deep/.git/config: " + evil}, held: []string{"src/deep/.git core.fsmonitor"}},
		{name: "in a new one", after: []string{"a/b/c/.git/config: " + evil, "a/d/.git/config: " + tame}, held: []string{"a/b/c/.git core.fsmonitor"}},
		{name: "below where one works", cwd: "a", after: []string{"a/b/.git/config: " + evil, "c/.git/config: " + evil}, held: []string{"a/b/.git core.fsmonitor", "c/.git core.fsmonitor"}},
		{name: "one that was there, below", before: []string{"lib/x/.git/config: " + tame}, after: []string{"lib/x/.git/config: " + evil}, held: []string{"lib/x/.git core.fsmonitor"}},
		{name: "one that ran before, below", before: []string{"lib/x/.git/config: " + evil}, after: []string{"lib/x/y: z", "lib/z: x"}},
		{name: "a bare one, below", after: []string{"x/HEAD: x", "x/objects/", "x/refs/", "x/config: " + evil}, held: []string{"x/HEAD core.fsmonitor"}},
		{name: "among dependencies", after: []string{"node_modules/m/.git/config: " + evil}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			root := t.TempDir()
			cwd := filepath.Join(root, c.cwd)
			write(t, root, append([]string{c.cwd + "/"}, c.before...)...)
			time.Sleep(2 * slack) // what is old must be older than what counts as new
			r := Begin(planOf(t, root, cwd, c.pinned), Caller{Path: "/usr/bin:/bin", Home: filepath.Join(root, "home")}, treeOf(t, root))
			write(t, root, c.after...)
			got := r.End()
			var changed []string
			for _, c := range got.Changed {
				changed = append(changed, c.String())
			}
			slices.Sort(changed)
			if !slices.Equal(changed, c.changed) {
				t.Errorf("changed %q, want %q", changed, c.changed)
			}
			checkHeld(t, root, got.Held, c.held)
		})
	}
}

func checkHeld(t *testing.T, root string, got []Held, want []string) {
	t.Helper()
	var names []string
	for _, h := range got {
		rel, _ := filepath.Rel(root, h.Path)
		names = append(names, rel+" "+h.Why)
		if _, err := os.Lstat(h.Path); err == nil {
			t.Errorf("%s is still there", h.Path)
		}
		if _, err := os.Lstat(h.Now); err != nil {
			t.Error(err)
		}
	}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("held %q, want %q", names, want)
	}
}

func planOf(t *testing.T, root, cwd string, pinned []string) *plan.Plan {
	t.Helper()
	p := &plan.Plan{Root: plan.Root{Path: root}, Process: plan.Process{Cwd: cwd}}
	p.Mounts = []plan.Mount{{Kind: plan.Bind, Source: root, Destination: root}}
	for _, name := range pinned {
		var st syscall.Stat_t
		path := filepath.Join(root, name)
		if err := syscall.Lstat(path, &st); err != nil {
			t.Fatal(err)
		}
		p.Mounts = append(p.Mounts, plan.Mount{Kind: plan.Pin, Destination: path, ID: plan.ID{Dev: uint64(st.Dev), Ino: st.Ino}})
	}
	return p
}

// Where the project was read-only nothing is looked at.
func TestEndReadOnly(t *testing.T) {
	root := t.TempDir()
	p := planOf(t, root, root, nil)
	p.Mounts[0].ReadOnly = true
	r := Begin(p, Caller{}, treeOf(t, root))
	write(t, root, ".git/config: "+evil)
	if got := r.End(); len(got.Held)+len(got.Changed) != 0 {
		t.Errorf("%+v", got)
	}
}

// A repository that took the place of the one that was there is new.
func TestEndReplaced(t *testing.T) {
	root := t.TempDir()
	write(t, root, ".git/config: "+tame)
	r := Begin(planOf(t, root, root, []string{".git", ".git/config"}), Caller{}, treeOf(t, root))
	if err := os.Rename(filepath.Join(root, ".git"), filepath.Join(root, "old")); err != nil {
		t.Fatal(err)
	}
	write(t, root, ".git/config: "+evil)
	checkHeld(t, root, r.End().Held, []string{".git core.fsmonitor"})
}

// Nobody is waited for, and nothing outside is touched or read.
func TestEndOddFiles(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	write(t, outside, "config: "+evil, "package.json: {}")
	write(t, root, "package.json: {}", ".git/x: x")
	r := Begin(planOf(t, root, root, nil), Caller{}, treeOf(t, root))
	for _, name := range []string{".git/config", ".git/commondir", ".git/index"} {
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(filepath.Join(root, "package.json"))
	write(t, root, "package.json -> "+outside+"/package.json", ".github -> "+outside, ".husky -> "+outside)
	done := make(chan Result)
	go func() { done <- r.End() }()
	select {
	case got := <-done:
		checkHeld(t, root, got.Held, []string{".git " + elsewhere})
		if len(got.Changed) > 0 {
			t.Errorf("changed %q", got.Changed)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for a pipe")
	}
}

// treeOf searches as a launch does.
func treeOf(t *testing.T, root string) mask.Tree {
	t.Helper()
	r, err := mask.Walk(mask.Request{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	return r.Tree
}
