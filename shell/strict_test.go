package shell

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"jail/internal/needed"
	"jail/internal/textbusy"
)

// strictPlace is a place with functions for the names; jail says how it was called.
func strictPlace(t *testing.T) place {
	t.Helper()
	p := newPlace(t)
	p.settings.Strict = []string{"npm", "pip3.99", "python3.12", "test", "[", "cd", "bad name", "$(touch pwned)", "-x", ""}
	p.settings.Launcher = p.at("bin/jail it's")
	must(t, textbusy.WriteProgram(p.at("bin/jail it's"), []byte("#!/bin/sh\necho \"jailed $*\"\n")))
	p.program("early/npm", "early npm")
	return p
}

// first puts a directory first on PATH, as the activation of an environment does.
func (d dialect) first(dir string) string {
	if d.name == "fish" {
		return "set -gx PATH " + d.word(dir) + " $PATH"
	}
	return "PATH=" + d.word(dir) + ":$PATH"
}

func TestStrict(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := strictPlace(t)
		early := d.first(p.at("early"))
		out, errs := p.says(d, p.dir, "npm", "cd proj; "+early+"; npm a 'b c'", "pip3.99", "python3.12 x", "cd ..", "npm", "test a = a && echo test", "pip3.99 2>/dev/null || echo none")
		lines := strings.Split(out, "\n")
		want := []string{"real npm", "jailed npm a b c", "jailed pip3.99", "jailed python3.12 x", "early npm", "test", "none"}
		if !slices.Equal(lines, want) || errs != "" && !strings.HasPrefix(errs, "fish: Unknown command: pip3.99\n") {
			t.Errorf("%q, %q\nwant %q", lines, errs, want)
		}
		if _, err := os.Stat(p.at("pwned")); err == nil {
			t.Error("a name was evaluated")
		}
		// A function of the user's own stays, before the hook and after it.
		own := "npm() { echo mine; }"
		if d.name == "fish" {
			own = "function npm; echo mine; end"
		}
		load := p.init(d.name)
		out, errs, _ = p.script(p.at("proj"), append(d.argv, strings.Join([]string{own, load, load, "npm", p.uninit(d.name), "npm"}, "\n"))...)
		if out != "mine\nmine\n" || errs != "" {
			t.Errorf("%q, %q", out, errs)
		}
		out, errs, _ = p.script(p.at("proj"), append(d.argv, strings.Join([]string{load, load, own, load, "npm", p.uninit(d.name), "npm"}, "\n"))...)
		if out != "mine\nmine\n" || errs != "" {
			t.Errorf("%q, %q", out, errs)
		}
		// Without jail itself the shim is what is left.
		must(t, os.Remove(p.settings.Launcher))
		if out, errs := p.says(d, p.at("proj"), "npm"); out != "shim npm" || errs != "" {
			t.Errorf("%q, %q", out, errs)
		}
	})
}

// Agents copy functions into shells that have nothing of the rest.
func TestStrictFunctionsStandAlone(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := strictPlace(t)
		show := map[string]string{"bash": "declare -f npm", "zsh": "typeset -f npm", "fish": "functions npm"}[d.name]
		text, errs := p.says(d, p.at("proj"), show)
		out, moreErrs, _ := p.script(p.dir, append(d.argv, text+"\nnpm")...)
		if out != "real npm\n" || errs != "" || moreErrs != "" {
			t.Errorf("%q, %q, %q", out, errs, moreErrs)
		}
	})
}

// Nothing that a shell knows by itself may become a function.
func TestBuiltinsAreKnown(t *testing.T) {
	if !slices.IsSorted(builtins()) {
		t.Error("the list is not sorted")
	}
	for _, argv := range [][]string{
		{"bash", "--norc", "-c", "compgen -b; compgen -k"},
		{"zsh", "-fc", "zmodload zsh/parameter; print -l ${(k)builtins} ${(k)reswords}"},
		{"fish", "-N", "-c", "builtin -n"},
	} {
		needed.Program(t, argv[0])
		out, err := exec.Command(argv[0], argv[1:]...).Output()
		must(t, err)
		names := strings.Fields(string(out))
		if len(names) < 20 {
			t.Errorf("%s has only %q", argv[0], names)
		}
		if left := (Settings{Strict: names}).strict(); len(left) > 0 {
			t.Errorf("%s has %q", argv[0], left)
		}
	}
}

// What is still on PATH of a project that one has left is said, and once.
func TestBashLeftOnPath(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	s.run("PATH=" + p.at("proj/.venv/bin") + ":$PATH:" + p.at("proj/b"))
	s.run("cd proj")
	s.says("cd ..", "jail: off, with "+p.at("proj/.venv/bin")+" still on PATH")
	s.silent("")
	s.run("cd proj; PATH=" + p.path())
	s.says("cd ..", "jail: off")
}
