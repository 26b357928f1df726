package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"jail/internal/needed"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// built is the program under test, on the file system that tests have their
// directories on.
var built string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "jail-hook")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built = filepath.Join(dir, "jail-hook")
	if ready := os.Getenv("JAIL_HOOK_UNDER_TEST"); ready != "" { // where there is no Go
		if err := copyFile(built, ready); err != nil {
			panic(err)
		}
		return m.Run()
	}
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", built, ".")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// An install is jail-hook as it is installed, with a jail beside it that only says
// what it was called by, and a home with programs and a project.
type install struct {
	t   *testing.T
	dir string
}

func newInstall(t *testing.T) install {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	i := install{t, dir}
	for _, sub := range []string{"opt", "bin", "proj/.ai-jail", "proj/a", "out", "data"} {
		must(t, os.MkdirAll(i.at(sub), 0o755))
	}
	must(t, os.Link(built, i.at("opt/jail-hook")))
	i.program("opt/jail", `echo "jailed ${0##*/}"`)
	for _, name := range []string{"npm", "python3", "bash"} {
		i.program("bin/"+name, "echo real "+name)
	}
	must(t, os.Remove(i.at("bin/bash")))
	must(t, os.Symlink(needed.Program(t, "bash"), i.at("bin/bash")))
	return i
}

func (i install) at(path string) string { return filepath.Join(i.dir, path) }

func (i install) program(path, text string) {
	i.t.Helper()
	must(i.t, os.MkdirAll(filepath.Dir(i.at(path)), 0o755))
	must(i.t, os.WriteFile(i.at(path), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
}

func (i install) farm() string { return i.at("data/jail/shims") }

func (i install) env(more ...string) []string {
	return append([]string{"PATH=" + i.at("bin"), "HOME=" + i.at("home"), "XDG_DATA_HOME=" + i.at("data"), "XDG_CONFIG_HOME=" + i.at("config")}, more...)
}

// run runs a program of this install in dir.
func (i install) run(dir string, env []string, argv ...string) (stdout, stderr string, status int) {
	i.t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(env, "PWD="+dir)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		i.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (i install) hook(dir string, args ...string) (stdout, stderr string, status int) {
	i.t.Helper()
	return i.run(dir, i.env(), append([]string{i.at("opt/jail-hook")}, args...)...)
}
