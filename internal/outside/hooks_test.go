package outside

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// project reads a project at /p by the paths of its files.
func project(files map[string]string) Reader {
	return func(path string) ([]byte, error) {
		if text, found := files[strings.TrimPrefix(path, "/p/")]; found {
			return []byte(text), nil
		}
		return nil, errors.New("another file")
	}
}

func TestHooksOfInstall(t *testing.T) {
	prepare := []string{"npm", "run", "prepare"}
	for manifest, want := range map[string]HookSetup{
		`{"scripts": {"prepare": "husky"}}`:                                       {"husky", prepare, ".husky/_", "/p"},
		`{"scripts": {"prepare": "tsc && husky || true"}}`:                        {"husky", prepare, ".husky/_", "/p"},
		`{"scripts": {"prepare": "husky install"}}`:                               {"husky", prepare, ".husky", "/p"},
		`{"scripts": {"postinstall": "simple-git-hooks"}}`:                        {"simple-git-hooks", []string{"npm", "run", "postinstall"}, "", "/p"},
		`{"scripts": {"install": "lefthook install"}}`:                            {"lefthook", []string{"npm", "run", "install"}, "", "/p"},
		`{"devDependencies": {"lefthook": "^1"}}`:                                 {"lefthook", []string{"npx", "lefthook", "install"}, "", "/p"},
		`{"devDependencies": {"husky": "^9"}, "scripts": {"test": "husky"}}`:      {},
		`{"scripts": {"prepare": "node scripts/husky.js"}, "dependencies": {}}`:   {},
		`{"scripts": {"prepare": "husky ../../tmp/evil/.husky"}}`:                 {},
		`{"scripts": {"prepare": "husky /tmp/evil/.husky"}}`:                      {},
		`{"scripts": ["husky"]}`:                                                  {},
		`husky`:                                                                   {},
		`{"scripts": {"prepare": "echo husky-like"}, "devDependencies": {"a":1}}`: {},
	} {
		read := project(map[string]string{"package.json": manifest, ".git/config": ""})
		if got := HooksOf([]string{"/usr/bin/npm", "install"}, "/p/src", "/p", read); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", manifest, got, want)
		}
		if got := HooksOf([]string{"npm", "test"}, "/p", "/p", read); got.Tool != "" {
			t.Errorf("%s at npm test: %+v", manifest, got)
		}
	}
}

func TestHooksOfCommand(t *testing.T) {
	read := project(map[string]string{"package.json": "{}", ".git/config": ""})
	for words, want := range map[string]HookSetup{
		"npx husky":                                  {"husky", []string{"npx", "husky"}, ".husky/_", "/p"},
		"npx --yes husky init":                       {"husky", []string{"npx", "--yes", "husky"}, ".husky/_", "/p"},
		"pnpm exec husky init":                       {"husky", []string{"pnpm", "exec", "husky"}, ".husky/_", "/p"},
		"npx husky install":                          {"husky", []string{"npx", "husky", "install"}, ".husky", "/p"},
		"npx lefthook install":                       {"lefthook", []string{"npx", "lefthook", "install"}, "", "/p"},
		"yarn simple-git-hooks":                      {"simple-git-hooks", []string{"yarn", "simple-git-hooks"}, "", "/p"},
		"npx lefthook run pre-commit":                {},
		"npx husky add a":                            {},
		".venv/bin/pre-commit install -t commit-msg": {"pre-commit", []string{".venv/bin/pre-commit", "init-templatedir", ".githooks"}, ".githooks/hooks", "/p"},
		"python3 -m pre_commit install":              {"pre-commit", []string{"python3", "-m", "pre_commit", "init-templatedir", ".githooks"}, ".githooks/hooks", "/p"},
		"pre-commit run -a":                          {},
		"pip install pre-commit":                     {},
		"echo husky":                                 {},
	} {
		if got := HooksOf(strings.Fields(words), "/p", "/p", read); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", words, got, want)
		}
	}
}

// The package, the repository and the root of the project are often three directories.
func TestHooksOfPlaces(t *testing.T) {
	install := []string{"npm", "install"}
	husky, below := `{"scripts": {"prepare": "husky"}}`, `{"scripts": {"prepare": "cd .. && husky web/.husky"}}`
	for _, c := range []struct {
		files     map[string]string
		tree, way string
	}{
		{map[string]string{"web/package.json": husky, "web/.git/config": ""}, "/p/web", ".husky/_"},
		{map[string]string{"web/package.json": husky, ".git/config": ""}, "", ""},
		{map[string]string{"web/package.json": below, ".git/config": ""}, "/p", "web/.husky/_"},
		{map[string]string{"web/package.json": husky}, "", ""},
		{map[string]string{".git/config": ""}, "", ""},
	} {
		if got := HooksOf(install, "/p/web", "/p", project(c.files)); got.Dir != c.tree || got.Path != c.way {
			t.Errorf("%v: %+v, want %s in %s", c.files, got, c.way, c.tree)
		}
	}
	if got := HooksOf(install, "/p", "/p/web", project(map[string]string{"package.json": husky, ".git/config": ""})); got.Tool != "" {
		t.Errorf("above the root: %+v", got)
	}
}
