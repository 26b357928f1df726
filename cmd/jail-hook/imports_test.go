package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// at is a user whose home is home, and who types answer at a terminal; without one
// there is no terminal. It returns how to run a verb, and what that printed.
func at(t *testing.T, home, answer string) func(args ...string) (out, errs string, status int) {
	t.Helper()
	return func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		u := newUser([]string{"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_DATA_HOME=" + filepath.Join(home, "data")}, &out, &errs)
		u.home, u.homes = home, []string{home}
		if answer != "" {
			mine, theirs, err := pty.Open()
			must(t, err)
			defer mine.Close()
			defer theirs.Close()
			u.stdin, u.stderr = theirs, theirs
			_, err = mine.WriteString(answer + "\n")
			must(t, err)
		}
		status := u.report(u.app().Run(arrange(append([]string{"jail-hook"}, args...), u.verbs())))
		return out.String(), errs.String(), status
	}
}

func TestImportOfAnotherToolsFile(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	file := filepath.Join(home, "config/jail/config.toml")
	quiet, yes, no := at(t, home, ""), at(t, home, "y"), at(t, home, "n")
	if _, errs, status := quiet("import"); status != statusFailed || !strings.Contains(errs, "there is no file") {
		t.Errorf("%q %d", errs, status)
	}
	must(t, os.WriteFile(filepath.Join(home, ".ai-jail"), []byte("rw_maps = ['~/x']\ncommand = ['a']\nno_gpu = true\n"), 0o600))
	const lines = "rw = [\"~/x\"] # loosens\ngpu = false\n"
	if out, errs, status := quiet("import", "--show"); status != 0 || errs != "" || out != lines+"# not taken: command (line 2): it has no equal here\n" {
		t.Errorf("%q %q %d", out, errs, status)
	}
	if _, errs, status := quiet("import"); status != statusFailed || !strings.Contains(errs, "there is nobody to ask") || !strings.Contains(errs, "hint: jail-hook import --show") {
		t.Errorf("%q %d", errs, status)
	}
	if out, _, status := no("import"); status != statusFailed || !strings.Contains(out, lines) {
		t.Errorf("%q %d", out, status)
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatal("it was written without a yes")
	}
	if out, _, status := yes("import"); status != 0 || !strings.HasSuffix(out, "written: "+file+"\n") {
		t.Errorf("%q %d", out, status)
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != lines {
		t.Errorf("%q %v", text, err)
	}
	// Again there is nothing to add to it, and it stays as it is.
	if _, errs, status := quiet("import"); status != statusFailed || !strings.Contains(errs, "has these already: gpu, rw") && !strings.Contains(errs, "has these already: rw, gpu") {
		t.Errorf("%q %d", errs, status)
	}
	must(t, os.WriteFile(file, []byte("# mine\nstrict = true\n"), 0o640))
	must(t, os.Chmod(file, 0o640))
	if _, _, status := yes("import"); status != 0 {
		t.Errorf("%d", status)
	}
	text, _ = os.ReadFile(file)
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o640 || string(text) != lines+"# mine\nstrict = true\n" {
		t.Errorf("%q %v", text, info.Mode())
	}
	must(t, os.WriteFile(file, []byte("nope = 1\n"), 0o600))
	if _, _, status := yes("import"); status != statusFailed {
		t.Errorf("into a configuration that is none: %d", status)
	}
	if names, _ := os.ReadDir(filepath.Dir(file)); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}
