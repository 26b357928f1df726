package main_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata drive the real launcher, as a user and as an attacker.
// One behaviour a file. What attacks from inside does the same from outside
// first, where it must work.
//
// Each script starts in $WORK/proj, a project, with $WORK/home as HOME, secrets
// in it, and $WORK/other, another project. $PROBE is internal/probe, inside the
// project so that a jail shows it; $SECRET is the word that every planted secret
// holds.

// stageVariable tells a test process where the binaries are that its parent
// built, when the parent runs it once more as another user.
const stageVariable = "JAIL_TEST_STAGE"

// plantedVariable is set where the home that passwd names has secrets planted in
// it. No test does that to a home that somebody lives in.
const plantedVariable = "JAIL_TEST_PLANTED"

// secret is in every file and variable that must not be seen.
const secret = "sentinel-bd4e1c7a"

// A stage is where the binaries are: a directory that everybody may read.
type stage struct{ dir string }

func (s stage) bin() string { return filepath.Join(s.dir, "bin") }

func (s stage) probe() string { return filepath.Join(s.bin(), "probe") }

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(withStage(m.Run))
}

// withStage builds what the scripts run, unless that was done already.
func withStage(run func() int) int {
	if os.Getenv(stageVariable) != "" {
		return run()
	}
	dir, err := os.MkdirTemp("", "jail-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv(stageVariable, dir)
	if err := build(stage{dir}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

func theStage() stage { return stage{os.Getenv(stageVariable)} }

// build makes the binaries as they are shipped, static and without paths.
func build(s stage) error {
	if err := os.Chmod(s.dir, 0o755); err != nil {
		return err
	}
	for _, pkg := range []string{"jail/cmd/jail", "jail/cmd/jail-hook", "jail/internal/probe"} {
		cmd := exec.Command("go", "build", "-trimpath", "-tags=urfave_cli_no_docs", "-ldflags=-s -w", "-o", s.bin()+"/", pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", pkg, err, out)
		}
	}
	return nil
}

func TestScripts(t *testing.T) {
	work, err := os.MkdirTemp(theStage().dir, "work-")
	if err != nil {
		// As another user: the stage is the parent's.
		work, err = os.MkdirTemp("", "jail-test-")
	}
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(work, 0o755)
	t.Cleanup(func() { os.RemoveAll(work) })
	w := &world{stage: theStage(), dir: work}
	testscript.Run(t, testscript.Params{
		Dir: "testdata", WorkdirRoot: work, Setup: w.setup,
		Condition: w.condition, Cmds: commands(), RequireExplicitExec: true, RequireUniqueNames: true,
	})
}
