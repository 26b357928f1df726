package outside

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func paths(dir string, found []Name) []string {
	out := []string{}
	for _, n := range found {
		rel, err := filepath.Rel(dir, n.Path)
		if err != nil {
			rel = n.Path
		}
		out = append(out, rel)
	}
	slices.Sort(out)
	return out
}

func TestDependencies(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "p")
	write(t, root, map[string]string{
		"package.json": `{"workspaces":["packages/*","one"],"dependencies":{"a":"file:../a","in":"file:./in","up":"file:../p/in","n":"^1.0.0","g":"git+ssh://x/../y"},
			"devDependencies":{"b":"link:../b","c":"portal:../c","d":"../d"},"optionalDependencies":{"e":"file:/srv/e.tgz"}}`,
		"packages/w/package.json": `{"dependencies":{"f":"file:../../../f","in":"file:../v"}}`,
		"one/package.json":        `{"dependencies":{"h":"file:../../h"}}`,
		"bad/package.json":        `{"dependencies":[1]}`,
		"sub/deep/x":              "",
	})
	read := os.ReadFile
	want := []string{"a", "b", "c", "d", "f", "h", "../../../../../../srv/e.tgz"}
	for i, w := range want {
		if strings.HasPrefix(w, "..") {
			want[i], _ = filepath.Rel(top, "/srv/e.tgz")
		}
	}
	slices.Sort(want)
	for _, dir := range []string{root, filepath.Join(root, "sub/deep")} {
		if got := paths(top, Dependencies(dir, root, read)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
	for _, dir := range []string{filepath.Join(root, "packages/w"), filepath.Join(root, "one")} {
		if got := paths(top, Dependencies(dir, root, read)); len(got) != 1 {
			t.Errorf("%s: %q", dir, got)
		}
	}
	if got := Dependencies(top, root, read); got != nil {
		t.Errorf("above the project: %+v", got)
	}
}

func TestInstalls(t *testing.T) {
	for line, want := range map[string]bool{
		"npm install": true, "/usr/bin/npm -s ci": true, "pnpm add x": true, "yarn": true, "yarn --frozen-lockfile": true, "bun i": true,
		"npm": false, "npm run install": false, "yarn build": false, "node install": false, "npx install": false, "npm test": false,
	} {
		if got := Installs(strings.Fields(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

func TestMentions(t *testing.T) {
	top := t.TempDir()
	root := filepath.Join(top, "p")
	write(t, root, map[string]string{
		"Cargo.toml":       "[dependencies]\na = { path = \"../a\" }\nin = { path = \"sub\" }\n",
		"go.mod":           "replace x => ../b\n",
		"requirements.txt": "-e ../c\nd @ file:../d\n",
		"tsconfig.json":    `{"extends": "../tsconfig.base.json", "include": ["src/../x"]}`,
		"sub/package.json": `{"dependencies":{"e":"file:../../e", "p": "../.."}}`,
	})
	args := []string{"tool", "--config=../f.toml", "../g", "-x", "plain", "sub/../h", "/srv/i"}
	got := paths(top, Mentions(args, filepath.Join(root, "sub"), root, os.ReadFile))
	srv, _ := filepath.Rel(top, "/srv/i")
	want := []string{"a", "b", "c", "d", "e", "tsconfig.base.json", srv}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Mentions([]string{"x", strings.Repeat("../", 400)}, root, root, os.ReadFile); len(got) > maxMentions {
		t.Errorf("%d mentions", len(got))
	}
}
