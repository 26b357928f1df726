package shell

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Whatever stands in a path, the shell has it back byte for byte.
func FuzzQuote(f *testing.F) {
	for _, text := range append(odd(), "", "'", "''", "'''", `\`, `\\`, `\'`, "'\\''", "$(", "a\n\n", "\n", "\xff\xfe", "=", "~", "!!") {
		f.Add(text)
	}
	for _, shell := range Shells() {
		if _, err := exec.LookPath(shell); err != nil {
			f.Logf("%s is missing here", shell)
			if os.Getenv("CI") == "true" {
				f.FailNow()
			}
		}
	}
	home := "HOME=" + f.TempDir() // fish writes there
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\x00") {
			return // no argument and no path has one
		}
		for _, shell := range []struct {
			argv []string
			word string
		}{
			{[]string{"bash", "-c"}, quote(text)},
			{[]string{"zsh", "-fc"}, quote(text)},
			{[]string{"zsh", "-fo", "rcquotes", "-c"}, quote(text)},
			{[]string{"fish", "-Nc"}, fishQuote(text)},
		} {
			path, err := exec.LookPath(shell.argv[0])
			if err != nil {
				continue
			}
			argv := append(shell.argv[1:], "printf '%s' "+shell.word)
			cmd := exec.Command(path, argv...)
			cmd.Env = append(os.Environ(), home, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=")
			out, err := cmd.Output()
			if err != nil || string(out) != text {
				t.Errorf("%s printed %q for %q: %v", shell.argv[0], out, text, err)
			}
		}
	})
}
