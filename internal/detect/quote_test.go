package detect

import (
	"os/exec"
	"testing"
)

// The shell itself says what it makes of a quoted path.
func FuzzQuote(f *testing.F) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		f.Skip("there is no bash here to ask")
	}
	for _, s := range []string{"/a", "/a b", "/it's", "/$(id)", "/`id`", "/a\nb", "/\x1b[31m", "/\xff\x80", `/a\b`, "/ä", "/~", "/!x", "", "-n", "\u200e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for i := range len(s) {
			if s[i] == 0 {
				return // no path has one
			}
		}
		out, err := exec.Command(bash, "-c", "printf %s "+Quote(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q became %s, which is %q, %v", s, Quote(s), out, err)
		}
	})
}
