package detect

import (
	"testing"

	"jail/internal/sandbox/plan"
)

func TestTerminfo(t *testing.T) {
	const compiled = "\x1a\x01\x10\x00\x02\x00\x03\x00\x00\x00\x00\x00a|b\x00"
	top := tree{
		"home/.terminfo/m/mine = " + compiled, "home/.terminfo/o/other = text, and not short at all", "home/.terminfo/l/link -> ../../.ssh/key",
		"home/.terminfo/d/dir/", "home/.terminfo/x/xterm = " + compiled, "app/k/kitty-x = " + compiled, "home/.ssh/key = " + compiled,
	}.build(t)
	home := top + "/home"
	for _, c := range []struct{ term, named, want string }{
		{"mine", "", "home/.terminfo/m/mine"},
		{"mine", "relative", "home/.terminfo/m/mine"},
		{"kitty-x", top + "/app", "app/k/kitty-x"},
		{"kitty-x", "", ""},
		{"other", "", ""}, {"link", "", ""}, {"dir", "", ""}, {"none", "", ""}, {"", "", ""}, {"dumb", "", ""},
		{"../../.ssh/key", "", ""}, {"..", "", ""}, {".", "", ""}, {"m/mine", "", ""},
	} {
		want := []string{}
		if c.want != "" {
			want = append(want, c.want)
		}
		expectNeeds(t, top, Terminfo(c.term, c.named, home), want...)
	}
	if _, err := Stat("/usr/share/terminfo/x/xterm"); err == nil {
		expectNeeds(t, top, Terminfo("xterm", "", home))
	} else if _, err := Stat("/lib/terminfo/x/xterm"); err == nil {
		expectNeeds(t, top, Terminfo("xterm", "", home))
	}
	if got := Terminfo("mine", "", home); len(got) == 1 && got[0].Source.Type != plan.Regular {
		t.Errorf("%+v", got[0])
	}
}
