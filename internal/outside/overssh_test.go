package outside

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOverSSH(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"package.json":             `{"repository":{"url":"git+ssh://git@host.test/a/b.git"},"dependencies":{"a":"^1.0.0"}}`,
		"ssh/package.json":         `{"devDependencies":{"a":"git+ssh://git@host.test/a/b.git"}}`,
		"forge/package.json":       `{"dependencies":{"a":"github:a/b"}}`,
		"python/requirements.txt":  "six\nlib @ git+ssh://git@host.test/a/b.git\n",
		"python/pyproject.toml":    "[tool.poetry.dependencies]\nlib = {git=\"git@host.test:a/b.git\"}\n",
		"rust/Cargo.toml":          "[dependencies]\na = { git = \"ssh://git@host.test/a/b.git\" }\n",
		"https/requirements.txt":   "lib @ git+https://git@host.test/a/b.git\n",
		"ssh/packages/x/README.md": "",
	})
	for line, want := range map[string]bool{
		". npm install": false,
		". npm install git+ssh://git@host.test/a/b.git": true,
		"ssh npm ci":                             true,
		"ssh/packages/x pnpm install":            true,
		"ssh npm run build":                      false,
		"forge yarn":                             true,
		"python pip install -r requirements.txt": true,
		"python pip3 list":                       false,
		"python poetry lock":                     true,
		"python pytest":                          false,
		"rust cargo fetch":                       true,
		"rust cargo test":                        false,
		"https pip install -r requirements.txt":  false,
		". python3":                              false,
	} {
		args := strings.Fields(line)
		if got := OverSSH(args[1:], filepath.Join(root, args[0]), root, os.ReadFile); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
