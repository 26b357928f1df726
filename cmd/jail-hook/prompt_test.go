package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPrompt(t *testing.T) {
	i := newInstall(t)
	i.hook(i.dir, "init", "bash")
	odd := i.at("od d$(x)`y`%F\\w\n{name}")
	must(t, os.MkdirAll(filepath.Join(odd, ".ai-jail"), 0o755))
	farm := "PATH=" + i.farm() + ":" + i.at("bin")
	lost := i.at("lost")
	must(t, os.MkdirAll(filepath.Join(lost, "sub"), 0o755))
	must(t, os.WriteFile(i.at("data/jail/known-roots"), []byte("jail roots 1 0123456789abcdef\nroot "+lost+"\n"), 0o600))
	open := i.at("open")
	must(t, os.MkdirAll(filepath.Join(open, ".ai-jail"), 0o755))
	must(t, os.Chmod(open, 0o777))
	for _, test := range []struct {
		dir, path string
		args      []string
		want      string
	}{
		{i.at("out"), farm, nil, ""},
		{i.at("proj"), farm, nil, "jail:proj"},
		{i.at("proj/a"), farm, nil, "jail:proj"},
		{i.at("proj"), "PATH=" + i.at("bin") + ":" + i.farm(), nil, "jail:proj!"},
		{i.at("proj"), "PATH=", nil, "jail:proj!"},
		{i.at("proj"), "PATH=" + i.at("data/jail/roots/proj/shims") + ":" + i.farm(), nil, "jail:proj"},
		{i.at("proj"), "PATH=" + i.at("nowhere") + ":" + i.at("bin"), nil, "jail:proj!"},
		{i.at("proj"), farm, []string{"--format", "[{name}] "}, "[proj] "},
		{i.at("proj"), farm, []string{"--format={root}{mark}"}, i.at("proj")},
		{i.at("proj"), farm, []string{"--format", ""}, ""},
		{i.at("out"), farm, []string{"--format", "x"}, ""},
		{odd, farm, nil, "jail:od d__x__y__F_w__name_"},
		{filepath.Join(lost, "sub"), farm, nil, "jail:lost"},
		{open, farm, nil, "jail:open?"},
	} {
		env := append([]string{test.path}, i.env()[1:]...)
		out, errs, status := i.run(test.dir, env, append([]string{i.at("opt/jail-hook"), "prompt"}, test.args...)...)
		if out != test.want || errs != "" || status != 0 {
			t.Errorf("%s %q: %q %q %d, want %q", test.dir, test.args, out, errs, status, test.want)
		}
	}
	for _, format := range []string{"{", "{nope}", "{name", "{{name}}"} {
		out, errs, status := i.hook(i.at("proj"), "prompt", "--format", format)
		if out != "" || status != statusUsage || !strings.HasPrefix(errs, "jail: prompt: ") {
			t.Errorf("%s: %q %q %d", format, out, errs, status)
		}
	}
}

// bypass runs the real program with every word as it was, and with a PATH on which
// no shim is.
func TestBypass(t *testing.T) {
	i := newInstall(t)
	i.hook(i.dir, "init", "bash")
	i.program("bin/npm", `printf '<%s>' "$@"; echo; echo "$PATH"; command -v npm`)
	must(t, os.Symlink(i.farm(), i.at("link")))
	path := strings.Join([]string{i.at("link"), i.farm() + "/", i.at("bin"), "/bin"}, ":")
	for _, lead := range [][]string{{"bypass"}, {"bypass", "--"}} {
		for _, dir := range []string{"proj/a", "out"} {
			args := []string{"npm", "run", "--", "-c", "a b", "", "--help", "$(x)", "\xff\n"}
			env := append([]string{"PATH=" + path}, i.env()[1:]...)
			out, errs, status := i.run(i.at(dir), env, append(append([]string{i.at("opt/jail-hook")}, lead...), args...)...)
			want := "<run><--><-c><a b><><--help><$(x)><\xff\n>\n" + i.at("bin") + ":/bin\n" + i.at("bin/npm") + "\n"
			if out != want || status != 0 || errs != "jail: bypass: \""+i.at("bin/npm")+"\" and all that it starts run without a jail\n" {
				t.Errorf("%q in %s: %q %q %d", lead, dir, out, errs, status)
			}
		}
	}
	i.program("proj/script", "exit 7")
	if _, _, status := i.hook(i.at("proj"), "bypass", "./script"); status != 7 {
		t.Errorf("a path: %d", status)
	}
	for want, args := range map[int][]string{
		statusUsage: {"bypass"}, statusNotFound: {"bypass", "--", "status"}, statusNotExecutable: {"bypass", "./a"},
	} {
		if out, errs, status := i.hook(i.at("proj"), args...); status != want || out != "" || strings.Contains(errs, "without a jail") {
			t.Errorf("%q: %q %q %d", args, out, errs, status)
		}
	}
	// The farm's own npm by its path is a shim whatever is around it.
	if out, _, status := i.hook(i.at("proj"), "bypass", i.farm()+"/npm"); status == 0 {
		t.Errorf("a shim: %q %d", out, status)
	}
}
