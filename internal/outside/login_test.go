package outside

import (
	"slices"
	"strings"
	"testing"
)

func TestLogsIn(t *testing.T) {
	for line, want := range map[string]string{
		"npm publish --access public": ".npmrc",
		"npm -s whoami":               ".npmrc",
		"pnpm add @a/b":               ".npmrc",
		"npm test":                    "",
		"npm run publish":             "",
		"/usr/bin/cargo publish":      "credentials.toml",
		"cargo build":                 "",
		".venv/bin/pip install six":   "pip.conf",
		"pip3.11 download six":        "pip.conf",
		"pip list":                    "",
		"python3 publish":             "",
		"npm":                         "",
	} {
		if files := LogsIn(strings.Fields(line)); files != nil && !slices.Contains(files, want) || files == nil && want != "" {
			t.Errorf("%s: %q, want %q", line, files, want)
		}
	}
}
