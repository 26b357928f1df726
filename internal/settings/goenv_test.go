package settings

import (
	"path/filepath"
	"strings"
	"testing"
)

func goFixtures() []fixture {
	return []fixture{{
		name: "go hostile", path: "~/.config/go/env",
		content: `# a comment with SENTINELpw
GOPROXY=https://bob:SENTINELpw@go.corp.test/mod,https://proxy.test/Mn4aPZ2sX8QeTb7K/|direct
GOPRIVATE=go.corp.test/*,*.corp.test
GONOSUMDB=bob:SENTINELpw@go.corp.test
GOSUMDB=off
GOTOOLCHAIN=local
GOFLAGS=-mod=mod -ldflags=-X=main.token=SENTINELpw
GOAUTH=git SENTINELpw
GOPATH=/home/me/SENTINELpw
CGO_ENABLED=0` + "\r" + `
CGO_CFLAGS=-O2 -g
GOINSECURE
 GOOS=SENTINELpw
=SENTINELpw
MY_TOKEN=SENTINELpw
GOMADEUP=SENTINELpw
`,
		want: `GOPROXY=https://go.corp.test/mod,https://proxy.test/hidden/|direct
GOPRIVATE=go.corp.test/*,*.corp.test
GOSUMDB=off
GOTOOLCHAIN=local
CGO_ENABLED=0
CGO_CFLAGS=-O2 -g
`,
		left: []string{"*", "GOAUTH", "GOFLAGS", "GONOSUMDB", "GOPATH", "GOPROXY (part of its address)"},
	}}
}

func TestGoReadsTheCopy(t *testing.T) {
	dir, _ := home(t, goFixtures(), "go hostile")
	env := []string{"GOENV=" + filepath.Join(dir, ".config/go/env"), "GOPROXY=", "GOPRIVATE=", "GOSUMDB=", "GOFLAGS=", "GOTOOLCHAIN=local", "HOME=" + dir}
	out := run(t, dir, env, "go", "env", "GOPROXY", "GOPRIVATE", "GOSUMDB", "GOFLAGS")
	if want := "https://go.corp.test/mod,https://proxy.test/hidden/|direct\ngo.corp.test/*,*.corp.test\noff\n\n"; out != want {
		t.Errorf("go reads\n%s\nwant\n%s", out, want)
	}
	original := append(env[:len(env):len(env)], "GOENV="+filepath.Join(dir, "original"))
	if out := run(t, dir, original, "go", "env", "GOPROXY"); !strings.Contains(out, "SENTINELpw") {
		t.Errorf("of the original it reads %q", out)
	}
}
