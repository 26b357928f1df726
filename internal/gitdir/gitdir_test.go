package gitdir

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// A scene is a repository with a worktree and a submodule, made by hand.
type scene struct {
	t    *testing.T
	root string
}

func newScene(t *testing.T) scene {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := scene{t, root}
	s.repository("main/.git")
	s.write("main/.git/worktrees/wt/commondir", "../..\n")
	s.write("main/.git/worktrees/wt/gitdir", s.at("wt/.git")+"\n")
	s.write("main/.git/worktrees/wt/HEAD", "ref: refs/heads/wt\n")
	s.write("wt/.git", "gitdir: "+s.at("main/.git/worktrees/wt")+"\n")
	s.repository("main/.git/modules/libs/a")
	s.write("main/.git/modules/libs/a/config", "[core]\n\tbare = false\n\tworktree = ../../../../libs/a\n")
	s.write("main/libs/a/.git", "gitdir: ../../.git/modules/libs/a\n")
	return s
}

func (s scene) repository(name string) {
	s.write(name+"/HEAD", "ref: refs/heads/main\n")
	s.write(name+"/config", "[core]\n")
	s.write(name+"/hooks/pre-commit", "")
	s.write(name+"/objects/x", "")
	s.write(name+"/refs/heads/main", "")
}

func (s scene) at(name string) string { return filepath.Join(s.root, name) }

func (s scene) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.at(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.at(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// find looks from a directory, whose project is root, and returns what is shown and
// the pins by their names.
func (s scene) find(root, cwd string) (dir string, pins []string, why string) {
	s.t.Helper()
	f, err := Find(Input{Cwd: s.at(cwd), Root: s.at(root), Homes: []string{s.at("home")}, UID: uint32(os.Getuid())})
	if err != nil {
		s.t.Fatal(err)
	}
	for i, p := range f.Pins {
		name, _ := filepath.Rel(s.root, p.Source.Path)
		if p.ReadOnly {
			name += " read"
		}
		if i > 0 && plan.ComparePaths(f.Pins[i-1].Source.Path, p.Source.Path) >= 0 {
			s.t.Errorf("%s comes after %s", name, f.Pins[i-1].Source.Path)
		}
		pins = append(pins, name)
	}
	if f.Dir.Path != "" {
		dir, _ = filepath.Rel(s.root, f.Dir.Path)
	}
	return dir, pins, f.Why
}

func TestWorktree(t *testing.T) {
	s := newScene(t)
	s.write("main/.git/worktrees/other/commondir", "../..\n")
	s.write("main/.git/worktrees/other/modules/m/HEAD", "")
	s.write("main/.git/worktrees/other/modules/m/config", "")
	s.write("wt/deep/er/file", "")
	want := []string{
		"main/.git/config read", "main/.git/hooks read", "main/.git/modules", "main/.git/modules/libs", "main/.git/modules/libs/a",
		"main/.git/modules/libs/a/config read", "main/.git/modules/libs/a/hooks read",
		"main/.git/worktrees", "main/.git/worktrees/other", "main/.git/worktrees/other/commondir read",
		"main/.git/worktrees/other/modules", "main/.git/worktrees/other/modules/m", "main/.git/worktrees/other/modules/m/config read",
		"main/.git/worktrees/wt", "main/.git/worktrees/wt/commondir read", "main/.git/worktrees/wt/gitdir read",
	}
	for _, cwd := range []string{"wt", "wt/deep/er"} {
		if dir, pins, why := s.find("wt", cwd); dir != "main/.git" || why != "" || !slices.Equal(pins, want) {
			t.Errorf("from %s: %q, %q, pins\n%s", cwd, dir, why, strings.Join(pins, "\n"))
		}
	}
	// By relative paths, as newer versions of git write them.
	s.write("wt/.git", "gitdir: ../main/.git/worktrees/wt\n")
	s.write("main/.git/worktrees/wt/gitdir", "../../../../wt/.git\n")
	if dir, _, why := s.find("wt", "wt"); dir != "main/.git" {
		t.Errorf("by relative paths: %q, %q", dir, why)
	}
	// In the project there is nothing to show, and the same to pin.
	if dir, pins, why := s.find("main", "main/libs/a"); dir != "" || why != "" || len(pins) != len(want)-1 {
		t.Errorf("in the project: %q, %q, pins\n%s", dir, why, strings.Join(pins, "\n"))
	}
}

func TestSubmodule(t *testing.T) {
	s := newScene(t)
	want := []string{"main/.git/modules/libs/a/config read", "main/.git/modules/libs/a/hooks read"}
	if dir, pins, why := s.find("main/libs/a", "main/libs/a"); dir != "main/.git/modules/libs/a" || why != "" || !slices.Equal(pins, want) {
		t.Errorf("%q, %q, pins\n%s", dir, why, strings.Join(pins, "\n"))
	}
}

// What does not agree, or is not the caller's alone, shows nothing and is said.
func TestLies(t *testing.T) {
	for name, lie := range map[string]func(scene){
		"another repository":      func(s scene) { s.write("wt/.git", "gitdir: "+s.at("main/.git")+"\n") },
		"a directory of no git's": func(s scene) { s.write("keys/id", "x"); s.write("wt/.git", "gitdir: "+s.at("keys")+"\n") },
		"points at another":       func(s scene) { s.write("main/.git/worktrees/wt/gitdir", s.at("main/x")) },
		"a copy of the file": func(s scene) {
			os.Rename(s.at("wt/.git"), s.at("wt/x"))
			s.write("wt/.git", "gitdir: "+s.at("main/.git/worktrees/wt"))
			s.write("main/.git/worktrees/wt/gitdir", s.at("wt/x"))
		},
		"another common directory": func(s scene) { s.repository("third"); s.write("main/.git/worktrees/wt/commondir", s.at("third")) },
		"no common directory":      func(s scene) { os.Remove(s.at("main/.git/worktrees/wt/commondir")) },
		"no head":                  func(s scene) { os.Remove(s.at("main/.git/HEAD")) },
		"no objects":               func(s scene) { os.RemoveAll(s.at("main/.git/objects")) },
		"a link among them": func(s scene) {
			os.Rename(s.at("main/.git/worktrees/wt/gitdir"), s.at("real"))
			os.Symlink(s.at("real"), s.at("main/.git/worktrees/wt/gitdir"))
		},
		"others may write":                func(s scene) { os.Chmod(s.at("main/.git/worktrees/wt/gitdir"), 0o666) },
		"others may write the repository": func(s scene) { os.Chmod(s.at("main/.git"), 0o777) },
		"a submodule of another":          func(s scene) { s.write("wt/.git", "gitdir: "+s.at("main/.git/modules/libs/a")) },
		"a submodule of nothing": func(s scene) {
			s.repository("loose/modules/m")
			s.write("loose/modules/m/config", "[core]\nworktree = "+s.at("wt")+"\n")
			s.write("wt/.git", "gitdir: "+s.at("loose/modules/m"))
		},
		"a repository around the project": func(s scene) {
			s.repository(".")
			s.write("worktrees/wt/commondir", "../..")
			s.write("worktrees/wt/gitdir", s.at("wt/.git"))
			s.write("wt/.git", "gitdir: "+s.at("worktrees/wt"))
		},
		"a home": func(s scene) {
			s.repository("home")
			s.write("home/worktrees/wt/commondir", "../..")
			s.write("home/worktrees/wt/gitdir", s.at("wt/.git"))
			s.write("wt/.git", "gitdir: "+s.at("home/worktrees/wt"))
		},
	} {
		s := newScene(t)
		lie(s)
		if dir, pins, why := s.find("wt", "wt"); dir != "" || len(pins) > 0 || why == "" {
			t.Errorf("%s: %q is shown, pins %q, %q", name, dir, pins, why)
		}
	}
	if os.Getuid() == 0 {
		s := newScene(t)
		os.Chown(s.at("main/.git/worktrees/wt/commondir"), 4321, 4321)
		if dir, _, why := s.find("wt", "wt"); dir != "" || why == "" {
			t.Errorf("somebody else's: %q is shown, %q", dir, why)
		}
	}
}

// What is no such file is none of this package's business.
func TestNoWorktree(t *testing.T) {
	s := newScene(t)
	s.write("plain/x", "")
	s.write("text/.git", "hello\n")
	s.write("gone/.git", "gitdir: /nowhere/at/all\n")
	s.write("long/.git", "gitdir: "+strings.Repeat("a", 70000))
	s.write("zero/.git", "gitdir: /\x00tmp")
	os.Mkdir(s.at("link"), 0o755)
	os.Symlink(s.at("main/.git"), s.at("link/.git"))
	for _, name := range []string{"plain", "text", "gone", "long", "zero", "link"} {
		if dir, pins, why := s.find(name, name); dir != "" || len(pins) > 0 || why != "" {
			t.Errorf("%s: %q, %q, %q", name, dir, pins, why)
		}
	}
	f, err := Find(Input{Cwd: "/", Root: "/", UID: uint32(os.Getuid())})
	if err != nil || f.Dir.Path != "" {
		t.Errorf("/: %+v, %v", f, err)
	}
}

func TestTooManyModules(t *testing.T) {
	s := newScene(t)
	for i := range 1500 {
		s.write(fmt.Sprintf("main/.git/modules/m%d/HEAD", i), "")
		s.write(fmt.Sprintf("main/.git/modules/m%d/config", i), "")
		s.write(fmt.Sprintf("main/.git/modules/m%d/hooks/x", i), "")
	}
	_, err := Find(Input{Cwd: s.at("main"), Root: s.at("main"), UID: uint32(os.Getuid())})
	if _, ok := err.(*plan.Refusal); !ok {
		t.Errorf("%v", err)
	}
}

func TestCoreWorktree(t *testing.T) {
	for text, want := range map[string]string{
		"[core]\n\tworktree = ../x\n":             "../x",
		"[core]\nbare=false\nworktree=../x":       "../x",
		"[CORE]\nWorkTree = \"a b\"":              "a b",
		"[core]\nworktree = \"a \\\"b\\\" \\\\\"": `a "b" \`,
		"[core]\nworktree = a\nworktree = b":      "b",
		"[core]\n[other]\nworktree = a":           "",
		"[core \"x\"]\nworktree = a":              "",
		"worktree = a":                            "",
		"[core]\nworktree = \"a":                  "",
		"[core]\nworktree = a # b":                "",
		"[core]\nworktree":                        "",
		"[core]\nworktree =":                      "",
		"":                                        "",
	} {
		if got, _ := coreWorktree(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A git directory in the project under another name is the project's as well.
func TestInside(t *testing.T) {
	guarded := func(g string, more ...string) (pins []string) {
		for _, part := range append([]string{"config", "hooks"}, more...) {
			pins = append(pins, g+"/"+part+" read")
		}
		return pins
	}
	for _, c := range []struct {
		name, cwd string
		write     func(s scene)
		want      []string
	}{
		{"another name", "p/sub", func(s scene) {
			s.repository("p/store")
			s.write("p/.git", "gitdir: store\n")
			s.write("p/sub/x", "")
		}, guarded("p/store")},
		{"a bare one and its worktree", "p/one", func(s scene) {
			s.repository("p/.bare")
			s.write("p/.bare/worktrees/one/commondir", "../..\n")
			s.write("p/.bare/worktrees/one/config.worktree", "")
			s.write("p/one/.git", "gitdir: "+s.at("p/.bare/worktrees/one")+"\n")
		}, guarded("p/.bare", "worktrees/one/commondir", "worktrees/one/config.worktree")},
		{"a link", "p", func(s scene) {
			s.repository("p/store")
			s.repository("p/store/modules/m")
			os.Symlink("store", s.at("p/.git"))
		}, guarded("p/store", "modules/m/config", "modules/m/hooks")},
		{"below the root", "p/lib/deep", func(s scene) {
			s.repository("p/lib/.git/modules/m")
			s.write("p/lib/deep/x", "")
		}, guarded("p/lib/.git/modules/m")},
		{"hooks that are a link", "p", func(s scene) {
			s.repository("p/store")
			s.write("p/.git", "gitdir: store")
			os.RemoveAll(s.at("p/store/hooks"))
			s.write("p/tools/hooks/pre-commit", "")
			os.Symlink("../tools/hooks", s.at("p/store/hooks"))
		}, append(guarded("p/store"), "p/tools/hooks read")},
		{"nothing to read", "p", func(s scene) { s.write("p/.git", "gitdir: /nowhere") }, nil},
	} {
		s := newScene(t)
		c.write(s)
		dir, pins, why := s.find("p", c.cwd)
		var read []string
		for _, p := range pins {
			if strings.HasSuffix(p, " read") {
				read = append(read, p)
			}
		}
		if dir != "" || why != "" || !slices.Equal(read, c.want) {
			t.Errorf("%s: %q, %q, pins\n%s", c.name, dir, why, strings.Join(pins, "\n"))
		}
	}
}

// above looks from a directory that is its own project.
func (s scene) above(root string) (tree string, shown []string) {
	s.t.Helper()
	f, err := Find(Input{Cwd: s.at(root), Root: s.at(root), Homes: []string{s.at("home")}, UID: uint32(os.Getuid())})
	if err != nil || f.Dir.Path != "" || len(f.Pins) > 0 {
		s.t.Fatalf("%+v, %v", f, err)
	}
	for _, sh := range f.Enclosing.Shown {
		name, _ := filepath.Rel(s.root, sh.Path)
		shown = append(shown, name)
	}
	if f.Enclosing.Tree != "" {
		tree, _ = filepath.Rel(s.root, f.Enclosing.Tree)
	}
	return tree, shown
}

func TestEnclosing(t *testing.T) {
	s := newScene(t)
	for _, dir := range []string{"main/a/b", "wt/a", "main/libs/a/x", "home/src/p", "plain/x", "other/a", "mine/a"} {
		os.MkdirAll(s.at(dir), 0o755)
	}
	s.repository("home/.git") // the home's own
	s.write("other/.git", "gitdir: "+s.at("main/.git/worktrees/wt")+"\n")
	s.repository("mine/.git")
	os.Chmod(s.at("mine/.git"), 0o777)
	for root, want := range map[string][]string{
		"main/a/b":      {"main", "main/.git"},
		"wt/a":          {"wt", "wt/.git", "main/.git"},
		"main/libs/a/x": {"main/libs/a", "main/libs/a/.git", "main/.git/modules/libs/a"},
		"home/src/p":    {""},
		"plain/x":       {""},
		"other/a":       {""}, // does not point back
		"mine/a":        {""}, // others may write it
	} {
		if tree, shown := s.above(root); tree != want[0] || !slices.Equal(shown, want[1:]) {
			t.Errorf("%s: %q %q, want %q", root, tree, shown, want)
		}
	}
	// A repository that lies in the project is the project's own business.
	s.write("main/a/.git", "gitdir: "+s.at("main/a/b/g")+"\n")
	s.repository("main/a/b/g")
	if tree, shown := s.above("main/a/b"); tree != "" {
		t.Errorf("%q %q", tree, shown)
	}
}
