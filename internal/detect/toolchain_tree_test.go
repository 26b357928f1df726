package detect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A tree describes files, one a line: "dir/", "file", "file = text", "program*",
// "script* = text", "link -> target". $T is where the tree stands.
type tree []string

func (lines tree) build(t testing.TB) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lines.buildIn(t, top)
	return top
}

func (lines tree) buildIn(t testing.TB, top string) {
	t.Helper()
	for _, line := range lines {
		line = strings.ReplaceAll(line, "$T", top)
		if err := buildLine(top, line); err != nil {
			t.Fatal(line, err)
		}
	}
}

func buildLine(top, line string) error {
	name, text, hasText := strings.Cut(line, " = ")
	link, target, isLink := strings.Cut(line, " -> ")
	switch {
	case isLink:
		name = link
	case strings.HasSuffix(name, "/"):
		return os.MkdirAll(filepath.Join(top, name), 0o755)
	case !hasText:
		text = "\x7fELF"
	}
	perm := os.FileMode(0o644)
	if strings.HasSuffix(name, "*") {
		name, perm = name[:len(name)-1], 0o755
	}
	path := filepath.Join(top, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if isLink {
		return os.Symlink(target, path)
	}
	return os.WriteFile(path, []byte(text), perm)
}

// input is what Toolchains gets for a tree with a home in home/ and a project in
// home/work. PATH's $T is the tree.
func input(top, path string, env map[string]string) ToolchainInput {
	expand := strings.NewReplacer("$T", top).Replace
	home := filepath.Join(top, "home")
	return ToolchainInput{
		PathDirs: strings.Split(expand(path), ":"),
		Homes:    []string{home},
		Root:     filepath.Join(home, "work"),
		Cwd:      filepath.Join(home, "work"),
		Env:      func(name string) string { return expand(env[name]) },
		System: func(path string) bool {
			return withinAny(path, []string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/nix"})
		},
	}
}

// found is what a list of Needs says, below top: "dir/", "file", "link -> text".
func found(top string, needs []plan.Need) []string {
	lines := []string{}
	for _, need := range needs {
		line := strings.TrimPrefix(need.Source.Path, top+"/")
		switch need.Source.Type {
		case plan.Directory:
			line += "/"
		case plan.Symlink:
			line += " -> " + strings.ReplaceAll(need.Source.Link, top, "$T")
		}
		lines = append(lines, line)
	}
	return lines
}

func expectNeeds(t *testing.T, top string, needs []plan.Need, want ...string) {
	t.Helper()
	got := found(top, needs)
	if !slices.Equal(got, want) {
		t.Errorf("needs:\n\t%s\nwant:\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	for _, need := range needs {
		if need.Reason.Layer != "toolchain" || need.Reason.Text == "" {
			t.Errorf("%s has no reason: %+v", need.Source.Path, need.Reason)
		}
	}
}

func makeFIFO(t *testing.T, path string) {
	t.Helper()
	if err := unix.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
}
