package lost

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// look looks at a home with these files; a name with a slash at its end is a
// directory, and "a -> b" a link.
func look(t *testing.T, made []string, names ...string) []string {
	t.Helper()
	home := t.TempDir()
	for _, name := range names {
		link, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(home, link)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case isLink:
			err = os.Symlink(target, path)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o755)
		default:
			err = os.WriteFile(path, nil, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fd, err := unix.Open(home, unix.O_PATH|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	found := []string{}
	for _, f := range Look(fd, func(below string) bool {
		return slices.ContainsFunc(made, func(m string) bool { return m == below || strings.HasPrefix(m, below+"/") })
	}) {
		found = append(found, fmt.Sprint(f.Kind, " ", f.Path))
	}
	return found
}

func TestLook(t *testing.T) {
	outside := t.TempDir()
	if err := os.MkdirAll(filepath.Join(outside, "bin/x"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why         string
		made, names []string
		want        []string
	}{
		{"nothing", nil, nil, nil},
		{"what the jail made", []string{".npm", "proj", ".cargo/bin", ".local/share/pnpm/store", ".gitconfig"}, []string{".npm/", "proj/", ".cargo/bin/", ".local/share/pnpm/store/", ".gitconfig"}, nil},
		{"what tools drop", nil, []string{".python_history", ".config/configstore/x.json", ".node_repl_history", ".local/state/x/y", ".ipython/profile/x", ".cache/x/bin/y"}, nil},
		{"npm install -g", nil, []string{".npm-global/bin/tool -> ../lib/node_modules/tool/t.js", ".npm-global/lib/node_modules/tool/t.js"}, []string{"0 .npm-global/bin/tool"}},
		{"a package without a program", nil, []string{".npm-global/lib/node_modules/lib/t.js"}, []string{"0 .npm-global/lib/node_modules/lib"}},
		{"pip install --user", nil, []string{".local/lib/python3.11/site-packages/six.py", ".local/lib/python3.11/site-packages/six-1.0.dist-info/METADATA"}, []string{"0 .local/lib/python3.11/site-packages/six.py"}},
		{"cargo install, beside a toolchain's own", []string{".cargo/registry", ".cargo/bin/cargo"}, []string{".cargo/registry/", ".cargo/bin/cargo", ".cargo/bin/rg", ".cargo/.crates.toml"}, []string{"0 .cargo/bin/rg"}},
		{"yarn link", nil, []string{".config/yarn/link/lib -> ../../../proj", ".config/yarn/rc"}, []string{"0 .config/yarn/link/lib"}},
		{"go install", []string{"go/pkg/mod"}, []string{"go/pkg/mod/", "go/bin/gopls", "go/pkg/sumdb/x"}, []string{"0 go/bin/gopls"}},
		{"a toolchain, a python", nil, []string{".rustup/toolchains/stable/bin/cargo", ".pyenv/versions/3.12/bin/python"}, []string{"0 .pyenv/versions/3.12", "0 .rustup/toolchains/stable"}},
		{"data comes after programs", nil, []string{"results.csv", "out/x", ".cargo/bin/rg"}, []string{"0 .cargo/bin/rg", "1 out", "1 results.csv"}},
		{"links lead nowhere", nil, []string{".a -> " + outside, ".b/c -> " + outside}, nil},
		{"places of credentials", nil, []string{".ssh/bin/x", ".aws/bin/x"}, nil},
	} {
		t.Run(c.why, func(t *testing.T) {
			got := look(t, c.made, c.names...)
			slices.Sort(got)
			if !slices.Equal(got, append([]string{}, c.want...)) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A home full of names is looked at in bounded time.
func TestLookIsBounded(t *testing.T) {
	var names []string
	for i := range 400 {
		names = append(names, fmt.Sprintf(".d%d/a/b/c/d/e/f/bin/x", i), fmt.Sprintf(".e%d/bin/x", i), fmt.Sprintf("n%d", i))
	}
	if n := len(look(t, nil, names...)); n == 0 || n > maxFinds {
		t.Errorf("%d finds", n)
	}
}

func TestLargeCache(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 80 MB")
	}
	home := t.TempDir()
	for _, dir := range []string{".cache/big", ".cache/small", ".config/big"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{".cache/big", ".config/big"} {
		if err := os.WriteFile(filepath.Join(home, dir, "x"), make([]byte, largeCache+1), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fd, err := unix.Open(home, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	found := Look(fd, func(string) bool { return false })
	if len(found) != 1 || found[0].Kind != Cache || found[0].Path != ".cache/big" || found[0].Bytes < largeCache {
		t.Errorf("%+v", found)
	}
}

func TestDownloads(t *testing.T) {
	for below, want := range map[string]bool{
		".cache/ms-playwright": true, ".cache/pip/wheels/x": true, ".gradle/caches": true, ".m2/repository/x": true,
		".cache": false, ".cache/gitstatus": false, ".cache/zsh4humans": false, ".cache/nvim/luac": false, ".cache/pre-commit": false,
		".cache/pip/../nvim": false, ".cache/Pip": false, "pip": false, ".gradle/init.d": false, ".m2/settings.xml": false, "": false,
	} {
		if Downloads(below) != want {
			t.Errorf("%q: %v", below, !want)
		}
	}
}

func TestKeep(t *testing.T) {
	for line, want := range map[string]string{
		"npm install -g left-pad":            "npm install left-pad",
		"/usr/bin/npm --global i a b":        "npm i a b",
		"npm --location=global install a":    "npm install a",
		"pnpm add -g a":                      "pnpm add a",
		"yarn global add a":                  "yarn add a",
		"bun add --global a":                 "bun add a",
		"pip install --user six":             "python3 -m venv .venv && .venv/bin/pip install six",
		"pip3.11 install six":                "python3 -m venv .venv && .venv/bin/pip install six",
		"python3 -m pip install --user six":  "python3 -m venv .venv && .venv/bin/pip install six",
		"cargo install ripgrep":              "cargo install --root .tools ripgrep",
		"go install example.test/x@latest":   "env GOBIN=$PWD/.tools go install example.test/x@latest",
		"uv tool install ruff":               "uvx ruff",
		"pipx install black":                 "pipx run black",
		"corepack enable pnpm":               "mkdir -p .tools && corepack enable --install-directory .tools pnpm",
		"corepack pnpm enable":               "",
		"npm link":                           "npm add ../DIRECTORY",
		"npm ln @a/lib":                      "npm add ../DIRECTORY",
		"pnpm link lib":                      "pnpm add ../DIRECTORY",
		"yarn link":                          "yarn add link:../DIRECTORY",
		"npm link ../lib":                    "",
		"npm link ./packages/a lib":          "",
		"npm install":                        "",
		"npm -g":                             "",
		"npm":                                "",
		"cargo install --root x y":           "",
		"cargo install --root=x y":           "",
		"pip install --target=./lib six":     "",
		"pip install -t lib six":             "",
		"python3 -m pip install --dry-run x": "",
		"npm install -g --prefix ./t a":      "",
		"cargo build":                        "",
		"sh -c x":                            "",
		"pip":                                "",
		"python3 -m":                         "",
	} {
		if got := strings.Join(Keep(strings.Fields(line)), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestSettings(t *testing.T) {
	for line, want := range map[string]string{
		"npm config set save-exact=true":                  ".npmrc",
		"npm c delete x":                                  ".npmrc",
		"npm set x y":                                     ".npmrc",
		"/usr/bin/npm login --auth-type legacy":           ".npmrc",
		"pnpm config set store-dir x":                     ".config/pnpm/rc",
		"yarn npm login":                                  ".yarnrc",
		"pip3.11 config --user set global.timeout 60":     ".config/pip/pip.conf",
		"python3 -m pip config unset global.timeout":      ".config/pip/pip.conf",
		"poetry config virtualenvs.in-project true":       ".config/pypoetry/config.toml",
		"go env -w GOFLAGS=-mod=mod":                      ".config/go/env",
		"cargo login":                                     ".cargo/credentials.toml",
		"git config --global alias.x status":              ".gitconfig",
		"git config --global --unset alias.x":             ".gitconfig",
		"npm config get x":                                "",
		"npm config list":                                 "",
		"npm config set x y --location=project":           "",
		"npm config set -L project x y":                   "",
		"npm install":                                     "",
		"npm":                                             "",
		"yarn add login":                                  "",
		"pip config list":                                 "",
		"pip config --site set a.b c":                     "",
		"pip install config":                              "",
		"pipx config set a b":                             "",
		"python3 -m config set":                           "",
		"poetry config virtualenvs.in-project":            "",
		"poetry config --local virtualenvs.in-project on": "",
		"go env":                         "",
		"cargo install login":            "",
		"git config --global alias.x":    "",
		"git config --global --list":     "",
		"git config alias.x status":      "",
		"git config --global --get x y":  "",
		"git commit --global config a b": "",
	} {
		if got := Settings(strings.Fields(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
