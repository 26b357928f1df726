package detect

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestHomes(t *testing.T) {
	tr := newScene(t)
	real := tr.dir("data/ann")
	linked := tr.link(real, "home/ann")
	other := tr.dir("home/other")
	toUsr := tr.link("/usr", "home/usr")
	for _, tt := range []struct {
		name, passwd, env string
		want              []string
	}{
		{"the same", other, other, []string{other}},
		{"the same with a slash", other, other + "/", []string{other}},
		{"both, passwd first", other, real, []string{other, real}},
		{"a link comes with what it leads to", linked, linked, []string{linked, real}},
		{"two names of one home", linked, real, []string{linked, real}},
		{"no passwd line", "", other, []string{other}},
		{"no HOME", other, "", []string{other}},
		{"relative HOME", other, "home/x", []string{other}},
		{"HOME is /", other, "/", []string{other}},
		{"HOME is /usr/local/x", other, "/usr/local/x", []string{other}},
		{"HOME is a link to /usr", other, toUsr, []string{other}},
		{"HOME is /nonexistent", other, "/nonexistent", []string{other}},
		{"HOME is /proc/self/cwd", other, "/proc/self/cwd", []string{other}},
		{"HOME does not exist", other, "/home-of-nobody/x", []string{other, "/home-of-nobody/x"}},
		{"HOME only begins like /usr", other, "/usrx/ann", []string{other, "/usrx/ann"}},
		{"a daemon", "/usr/sbin", "/", nil},
		{"a daemon with HOME", "/nonexistent", other, []string{other}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			passwd := func(uid int) (string, bool) { return tt.passwd, uid == 7 && tt.passwd != "" }
			if got := Homes(7, tt.env, passwd); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHomesKeepPasswdWhateverHOMESays(t *testing.T) {
	tr := newScene(t)
	home := tr.dir("home")
	for _, env := range []string{"", "/", ".", "..", "//", home + "/../..", "/etc", "/dev/null", "\x00", strings.Repeat("/x", 5000)} {
		got := Homes(1, env, func(int) (string, bool) { return home, true })
		if len(got) == 0 || got[0] != home {
			t.Errorf("HOME=%.20q: got %.3q", env, got)
		}
	}
}

func TestHomeLinks(t *testing.T) {
	tr := newScene(t)
	real := tr.dir("var/home/ann")
	want := []string{tr.link("ann", "var/home/annie"), tr.link("var/home", "home")}
	slices.Sort(want)
	got := HomeLinks([]string{tr.path("home/annie"), real, tr.path("home/ann"), tr.path("none")})
	if !slices.Equal(paths(got), want) {
		t.Errorf("got %q, want %q", paths(got), want)
	}
	if got := HomeLinks([]string{real, tr.path("none/x")}); got != nil {
		t.Errorf("without links: %q", paths(got))
	}
}

func TestPasswdHome(t *testing.T) {
	var many strings.Builder // several buffers, so that lines are cut
	for i := range 5000 {
		fmt.Fprintf(&many, "user%d:x:%d:100::/home/user%d:/bin/sh\n", i, 10000+i, i)
	}
	for _, tt := range []struct {
		name, text string
		uid        int
		want       string
	}{
		{"first", "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000::/home/ann:/bin/sh\n", 0, "/root"},
		{"last, no newline", "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000::/home/ann:/bin/sh", 1000, "/home/ann"},
		{"the first of two", "ann:x:5:5::/home/ann:/bin/sh\nbob:x:5:5::/home/bob:/bin/sh\n", 5, "/home/ann"},
		{"not the group", "ann:x:5:6::/home/ann:/bin/sh\n", 6, ""},
		{"part of a number", "ann:x:55:55::/home/ann:/bin/sh\n", 5, ""},
		{"NIS", "+ann:x:5:5::/home/ann:/bin/sh\n-@x:x:5:5::/h:/s\n", 5, ""},
		{"no home", "ann:x:5:5:::/bin/sh\n", 5, ""},
		{"short lines", "\n:\nann:x:5\nann:x:5:5::/home/ann:/bin/sh\n", 5, "/home/ann"},
		{"a space is part of it", "ann:x:5:5::/home/ann b:/bin/sh\n", 5, "/home/ann b"},
		{"many", many.String(), 14999, "/home/user4999"},
		{"many, across buffers", many.String(), 10388, "/home/user388"},
		{"an endless line", strings.Repeat("x", 40<<10) + "\nann:x:5:5::/home/ann:/bin/sh\n", 5, ""},
		{"empty", "", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := newScene(t).path("passwd")
			must(t, os.WriteFile(file, []byte(tt.text), 0o644))
			home, ok := passwdHome(file, tt.uid)
			if home != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %t; want %q", home, ok, tt.want)
			}
		})
	}
}

func TestPasswdHomeFindsEveryLineOfALongFile(t *testing.T) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "u:x:%d:1:%s:/h/%d:/s\n", i, strings.Repeat("g", i%97), i)
	}
	file := newScene(t).path("passwd")
	must(t, os.WriteFile(file, []byte(text.String()), 0o644))
	for uid := range 2000 {
		if home, _ := passwdHome(file, uid); home != fmt.Sprintf("/h/%d", uid) {
			t.Fatalf("uid %d: got %q", uid, home)
		}
	}
}

func TestPasswdHomeIgnoresHOME(t *testing.T) {
	t.Setenv("HOME", "/planted")
	t.Setenv("USER", "planted")
	if home, ok := PasswdHome(1999999999); ok {
		t.Errorf("a uid without a line has the home %q", home)
	}
	if home, _ := PasswdHome(os.Getuid()); home == "/planted" {
		t.Error("the home is what HOME says")
	}
	if home, ok := passwdHome("/nonexistent/passwd", 0); ok {
		t.Errorf("without a file: %q", home)
	}
}

func BenchmarkHomes(b *testing.B) {
	env := os.Getenv("HOME")
	for b.Loop() {
		Homes(os.Getuid(), env, PasswdHome)
	}
}
