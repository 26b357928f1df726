package plan

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"jail/internal/needed"
)

// names are what somebody may call a file who wants the reader of a hint to run something.
var names = []string{
	"/a", "/a b", "/it's", "/$(touch ran)", "/`touch ran`", "/a\ntouch ran\n", "/\x1b[31m", "/\xff\x80", `/a\b`, "/ä", "/~", "~", "/!x", "", "-n",
	"\u200e", "\u202e/x", `\'; touch ran; echo '`, `/x\'\''; touch ran; '`, `/x\`, `\\'; touch ran #`, `'\''; touch ran; '`, `";touch ran;"`,
	"=ls", "^x", "%self", "{a,b}", "*", "a;touch ran", "a&touch ran", "|touch ran", "(touch ran)", "\x01'; touch ran; '", `\x27; touch ran; \x27` + "\n",
	"!!", "\x01!!", "#x", "a #x", "<(touch ran)", "\r", "\u00a0", "\u2028", "--x=$HOME",
}

// The shells themselves say what they make of a word. fish may refuse one, but not take it
// for something else.
func TestWord(t *testing.T) {
	for _, shell := range []string{"sh", "bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			path, dir := needed.Program(t, shell), t.TempDir()
			for _, s := range names {
				askShell(t, path, dir, s)
			}
		})
	}
}

// askShell lets a shell print the word that is made of s.
func askShell(t *testing.T, path, dir, s string) {
	t.Helper()
	shell, word := filepath.Base(path), Word(s)
	ansi := strings.HasPrefix(word, "$'")
	if ansi && shell == "sh" {
		return // no such form, and it would run nothing either
	}
	cmd := exec.Command(path, "-c", "printf %s "+word)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "LC_ALL=C.UTF-8")
	out, err := cmd.Output()
	switch {
	case ansi && shell == "fish":
		if len(out) > 0 {
			t.Errorf("fish takes %q for %q", word, out)
		}
	case err != nil || string(out) != s:
		t.Errorf("%q became %s, which is %q, %v", s, word, out, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "ran")); err == nil {
		t.Fatalf("%s ran what stands in %q, by %s", shell, s, word)
	}
}

func FuzzWord(f *testing.F) {
	bash := needed.Program(f, "bash")
	for _, s := range names {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.IndexByte(s, 0) >= 0 {
			return // no path has one
		}
		out, err := exec.Command(bash, "-c", "printf %s "+Word(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q became %s, which is %q, %v", s, Word(s), out, err)
		}
	})
}
