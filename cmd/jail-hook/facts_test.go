package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"jail/internal/doctor"
	"jail/internal/needed"
)

// What each shell itself says about its names is understood: the command that
// doctor prints is run in it.
func TestDoctorAsksTheShell(t *testing.T) {
	i := newInstall(t)
	i.hook(i.dir, "init", "bash")
	for name, test := range map[string]struct {
		argv  []string
		plant string
	}{
		"bash": {[]string{"bash", "--norc", "-c"}, "alias npm=/usr/bin/npm; python3() { /usr/bin/python3; }; hash -p /usr/bin/node node; alias ll='ls -l'; f() { :; }"},
		"zsh":  {[]string{"zsh", "-fc"}, "alias npm=/usr/bin/npm; function python3 { /usr/bin/python3; }; hash node=/usr/bin/node; alias ll='ls -l'; f() { :; }; alias -- -='cd -'"},
		"fish": {[]string{"fish", "-N", "-c"}, "alias npm /usr/bin/npm; function python3; /usr/bin/python3; end; alias ll 'ls -l'; function f; end"},
	} {
		t.Run(name, func(t *testing.T) {
			argv := append(slices.Clone(test.argv), test.plant+"; "+doctor.Tell(name, []string{"npm", "python3", "node"}))
			argv[0] = needed.Program(t, name)
			env := append([]string{"PATH=" + i.at("opt") + ":" + i.farm() + ":" + i.at("bin"), "SHELL=/bin/" + name}, i.env()[1:]...)
			out, errs, status := i.run(i.at("proj"), env, argv...)
			for _, want := range []string{"name-alias: npm is an alias", "name-function: python3 is a function"} {
				if name == "fish" { // whose aliases are functions
					want = strings.NewReplacer("name-alias", "name-function", "an alias", "a function").Replace(want)
				}
				if strings.Count(out, want) != 1 {
					t.Errorf("%q is not there once: %s%s%d", want, out, errs, status)
				}
			}
			if strings.Contains(out, "ll is") || strings.Contains(out, " f is") {
				t.Errorf("%s", out)
			}
		})
	}
}

// An environment that is still active outside has its project's shims first on PATH,
// and no other name should have one there.
func TestDoctorWhereAnEnvironmentIsLeft(t *testing.T) {
	i := newInstall(t)
	i.program("proj/.venv/bin/pytest", "echo pytest")
	venv := i.at("proj/.venv/bin") + ":" + i.at("bin")
	env := append([]string{"PATH=" + venv}, i.env()[1:]...)
	if out, errs, _ := i.run(i.at("out"), env, i.at("opt/jail-hook"), "shims", "refresh"); !strings.Contains(out, "added pytest\n") || errs != "" {
		t.Fatalf("%q %q", out, errs)
	}
	own := i.at("data/jail/roots") + i.at("proj") + "/shims:"
	for path, wrong := range map[string]bool{own + venv: false, own + i.farm() + ":" + venv: false, own + i.at("bin") + ":" + i.farm(): true} {
		out, _, _ := i.run(i.at("proj"), append([]string{"PATH=" + path}, i.env()[1:]...), i.at("opt/jail-hook"), "doctor")
		if got := strings.Contains(out, "name-before"); got != (wrong || path == own+venv) {
			t.Errorf("in the project, PATH=%s: %s", path, out)
		}
		out, _, _ = i.run(i.at("out"), append([]string{"PATH=" + path}, i.env()[1:]...), i.at("opt/jail-hook"), "doctor")
		if strings.Contains(out, "name-before") {
			t.Errorf("outside, PATH=%s: %s", path, out)
		}
	}
}

func TestDoctorsJSON(t *testing.T) {
	i := newInstall(t)
	out, errs, status := i.run(i.at("out"), i.env("SHELL=/bin/zsh"), i.at("opt/jail-hook"), "doctor", "--json")
	var d diagnosis
	if err := json.Unmarshal([]byte(out), &d); err != nil || errs != "" || status != statusSick || d.Healthy {
		t.Fatalf("%v %q %q %d", err, out, errs, status)
	}
	if !slices.ContainsFunc(d.Findings, func(f doctor.Finding) bool {
		return f.ID == "hook-missing" && f.Fix == `echo 'eval "$(jail-hook init zsh)"' >>`+i.at("home/.zshrc")
	}) || !strings.Contains(d.Tell, "alias -L") {
		t.Errorf("%+v", d)
	}
}

func TestCoveredProc(t *testing.T) {
	const table = `22 28 0:21 / /proc rw,nosuid - proc proc rw
31 22 0:27 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw
40 22 0:40 / /proc/kcore rw - tmpfs tmpfs rw
41 22 0:21 /bus /proc/bus ro - proc proc rw
42 28 0:21 / /process rw - proc proc rw
`
	if got := coveredProc(table); !slices.Equal(got, []string{"/proc/bus", "/proc/kcore"}) {
		t.Errorf("%q", got)
	}
}

func TestAgents(t *testing.T) {
	u := newUser([]string{"CLAUDECODE=1", "CODEX_SANDBOX=x", "GEMINI_API_KEY=x", "CURSOR_TRACE_ID=y", "HOME=/", "MYCODEX_=", "GEMINI_CLI=1"}, nil, nil)
	if got := u.agents(); !slices.Equal(got, []string{"CLAUDECODE", "CODEX_SANDBOX", "CURSOR_TRACE_ID", "GEMINI_CLI"}) {
		t.Errorf("%q", got)
	}
}

func TestSourcedFiles(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{".a", ".b", ".c", ".d"} {
		must(t, os.WriteFile(home+"/"+name, []byte(name), 0o600))
	}
	text := "[ -f ~/.a ] && . ~/.a\nsource \"$HOME/.b\"; . ${HOME}/.c\n. " + home + "/.d\n. relative\n. ~/none\nsource\n. \n"
	var got []string
	for _, f := range sourced(text, home) {
		got = append(got, f.Text)
	}
	if !slices.Equal(got, []string{".a", ".b", ".c", ".d"}) {
		t.Errorf("%q", got)
	}
}

func TestSlowFileSystems(t *testing.T) {
	if name, cost := slowFS(t.TempDir()); name != "" || cost != 0 {
		t.Errorf("%q %d", name, cost)
	}
	if name, _ := slowFS("/nowhere/at/all"); name != "" {
		t.Errorf("%q", name)
	}
}
