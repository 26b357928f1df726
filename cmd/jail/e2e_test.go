//go:build e2e

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/e2e run real software from the registries, as people do
// their work: no line of configuration, and no difference that they would notice. They
// take minutes and want a network, so they are apart: make e2e.
//
// $TOOLS is a directory with package managers from npm's registry.

func TestRealSoftware(t *testing.T) {
	work, err := os.MkdirTemp("", "jail-e2e-")
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(work, 0o755)
	t.Cleanup(func() { os.RemoveAll(work) })
	w := &world{stage: theStage(), dir: work}
	tools := filepath.Join(theStage().dir, "tools")
	installTools(t, tools)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/e2e", WorkdirRoot: work, Condition: w.condition, Cmds: commands(),
		RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			if err := w.setup(e); err != nil {
				return err
			}
			e.Setenv("TOOLS", tools)
			e.Setenv("CI", "true")
			e.Setenv("npm_config_audit", "false")
			e.Setenv("npm_config_fund", "false")
			e.Setenv("npm_config_update_notifier", "false")
			return nil
		},
	})
}

func TestRealSoftwareAsUser(t *testing.T) {
	installTools(t, filepath.Join(theStage().dir, "tools")) // which the user could not
	asUser(t, "TestRealSoftware", "20m")
}

// packageManagers are the versions that the scripts were written with.
var packageManagers = []string{"pnpm@10", "yarn@1", "bun@1", "deno@2", "@jdxcode/mise@2026", "n@10"}

// installTools puts the package managers where every user may run them. Their install
// scripts are needed: they put the program for this machine in place.
func installTools(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "node_modules/.bin/pnpm")); err == nil {
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"install", "--prefix", dir, "--no-save", "--foreground-scripts", "--dangerously-allow-all-scripts"}, packageManagers...)
	cmd := exec.Command("npm", args...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "npm_config_cache="+filepath.Join(dir, "cache"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("install package managers: %v\n%s", err, out)
	}
}
