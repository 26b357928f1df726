package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"jail/internal/needed"
)

// bash starts an interactive bash in dir, without the hook.
func (p place) bash(dir string, env ...string) *session {
	p.t.Helper()
	needed.Program(p.t, "bash")
	s, _ := p.start(dir, p.env(env...), "bash", "--norc", "--noprofile", "--noediting", "-i")
	return s
}

// hooked is bash with the hook loaded.
func (p place) hooked(dir string, env ...string) *session {
	p.t.Helper()
	s := p.bash(dir, env...)
	s.silent(p.init("bash"))
	return s
}

const which = "type -P npm"

// inside checks which npm a shell would run now.
func (s *session) inside(p place, want bool) {
	s.t.Helper()
	npm := p.at("bin/npm")
	if want {
		npm = p.at("jail/shims/npm")
	}
	s.says(which, npm)
}

// Which npm runs, for every way to come to a directory. A row's lines are typed
// one by one; the last prints the path of npm, or its words.
func TestBashWaysIn(t *testing.T) {
	const shim, real = "jail/shims/npm", "bin/npm"
	for _, test := range []struct{ name, lines, want string }{
		{"next prompt", "cd proj\n" + which, shim},
		{"next prompt, deep", "cd proj/a/b/c\n" + which, shim},
		{"same line", "cd proj && " + which, shim},
		{"same line, run", "cd proj && npm", "shim npm"},
		{"leave", "cd proj\ncd ../out\n" + which, real},
		{"leave on the same line", "cd proj\ncd ../out; " + which, real},
		{"leave from below", "cd proj/a/b\ncd /\n" + which, real},
		{"subshell", "(cd proj; " + which + ")", shim},
		{"after a subshell", "(cd proj; :)\n" + which, real},
		{"substitution", "echo $(cd proj; " + which + ")", shim},
		{"function", "f() { cd proj; }; f; " + which, shim},
		{"pushd", "pushd proj >/dev/null; " + which, shim},
		{"popd", "pushd proj >/dev/null\npopd >/dev/null; " + which, real},
		{"pushd alone", "pushd proj >/dev/null; pushd >/dev/null; " + which, real},
		{"pushd +1", "pushd proj >/dev/null; pushd ../out >/dev/null; pushd +1 >/dev/null; " + which, shim},
		{"popd -n", "pushd proj >/dev/null; popd -n >/dev/null; " + which, shim},
		{"cd -", "cd proj; cd ../out; cd - >/dev/null; " + which, shim},
		{"cd home", "cd proj; cd; " + which, real},
		{"cd --", "cd -- proj; " + which, shim},
		{"cd -P", "cd -P in; " + which, shim},
		{"autocd", "shopt -s autocd\nproj 2>/dev/null; " + which, shim},
		{"cdable_vars", "shopt -s cdable_vars; there=$PWD/proj; cd there >/dev/null; " + which, shim},
		{"CDPATH", "CDPATH=$PWD/other; cd proj2 >/dev/null; " + which, shim},
		{"builtin cd", "builtin cd proj\n" + which, shim},
		{"command cd", "command cd proj\n" + which, shim},
		{"link in", "cd in; " + which, shim},
		{"link in, deep", "cd in/b/c; " + which, shim},
		{"link out", "cd proj/away; " + which, shim},
		{"link to the root", "cd out/back; " + which, shim},
		{"through the link and up", "cd in; cd ..; " + which, real},
		{"created in place", "cd out\nmkdir .ai-jail\n" + which + "; rmdir .ai-jail", shim},
		{"created and removed", "cd out\nmkdir .ai-jail\nrmdir .ai-jail\n" + which, real},
		{"a file is no marker", "cd file\n" + which, real},
		{"a link to a directory is one", "cd out\nln -s ../proj/.ai-jail .ai-jail\n" + which + "; rm .ai-jail", shim},
		{"eval", `eval "cd proj; ` + which + `"`, shim},
		{"in a pipe", "cd proj | cat; " + which, real},
		{"background", "set +m\n{ cd proj; " + which + "; } & wait", shim},
		{"failed cd", "cd nowhere 2>/dev/null; " + which, real},
		{"PWD is a lie", "PWD=lie\n" + which, real},
		{"PWD is empty", "cd proj; PWD=\n" + which, shim},
		{"PWD is unset", "cd proj; unset PWD\n" + which, shim},
		{"PWD lies inside", "cd proj/a; PWD=/\n" + which, shim},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.detours()
			s := p.hooked(p.dir)
			lines := strings.Split(test.lines, "\n")
			for _, line := range lines[:len(lines)-1] {
				s.run(line)
			}
			want := test.want
			if want == shim || want == real {
				want = p.at(want)
			}
			// autocd and jobs have words of their own.
			got := s.quiet(lines[len(lines)-1])
			if all := strings.Split(got, "\n"); all[len(all)-1] != want {
				t.Errorf("printed %q, want %q", got, want)
			}
		})
	}
}

// detours are links and what else makes a place confusing.
func (p place) detours() {
	p.t.Helper()
	must(p.t, os.Symlink(p.at("proj/a"), p.at("in")))           // leads into the project
	must(p.t, os.Symlink(p.at("out"), p.at("proj/away")))       // leads out of it
	must(p.t, os.Symlink(p.at("proj"), p.at("out/back")))       // leads to its root
	must(p.t, os.MkdirAll(p.at("other/proj2/.ai-jail"), 0o755)) // for CDPATH
	must(p.t, os.MkdirAll(p.at("file"), 0o755))                 // another tool's marker
	must(p.t, os.WriteFile(p.at("file/.ai-jail"), nil, 0o644))  //
}

// odd are names that break what is not quoted.
func odd() []string {
	return []string{
		"with space", "quo'te", `dou"ble`, "dollar$(touch pwned)", "back`touch pwned`tick", "new\nline", "-dash", "--", "star*", "br[a]ck",
		`back\slash`, "ünïcödé", "and&and", "semi;colon", "#hash", "~tilde", "tab\there", "bell\a", "esc\x1b[31m", "%s%n", "!bang", "bad\xff", "..b", "a..",
	}
}

func TestBashOddNames(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	s.run("unset CDPATH")
	for i, name := range odd() {
		dir := filepath.Join(p.dir, "odd", name)
		must(t, os.MkdirAll(filepath.Join(dir, ".ai-jail"), 0o755))
		must(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o755))
		out := s.run("cd -- " + quote(dir) + "/sub")
		if !strings.HasPrefix(out, "jail: on (") || strings.Count(out, "\n") != 1 || strings.ContainsAny(out, "\a\x1b\t") {
			t.Errorf("%q: the prompt said %q", name, out)
		}
		s.inside(p, true)
		s.says("cd /", "jail: off")
		s.inside(p, false)
		if i == 0 {
			s.says("cd -- "+quote(dir), `jail: on (with\ space)`)
			s.run("cd /")
		}
	}
	if _, err := os.Stat(p.at("odd/pwned")); err == nil {
		t.Error("a name was evaluated")
	}
	// The hook itself may lie at such a path.
	for _, name := range odd() {
		if strings.Contains(name, ":") {
			continue
		}
		p := newPlace(t)
		p.program("odd/"+name+"/shims/npm", "shim npm")
		p.settings.Farm, p.settings.Roots = p.at("odd/"+name+"/shims"), p.at("odd/"+name+"/roots")
		out, errs, _ := p.script(p.dir, "bash", "-c", p.init("bash")+"; cd proj; npm; cd ..; npm; printf %s \"$PATH\"")
		if out != "shim npm\nreal npm\n"+p.path() || errs != "" {
			t.Errorf("%q: %q, %q", name, out, errs)
		}
	}
}

func TestBashStartsInside(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.at("proj/a"))
	s.inside(p, true)
	s.silent("cd ..")
	s.says("cd ../out", "jail: off")
	// A shell that runs commands before its first prompt, and one without prompts.
	out, errs, _ := p.script(p.at("proj/a"), "bash", "-c", p.init("bash")+"; npm")
	if out != "shim npm\n" || errs != "" {
		t.Errorf("%q, %q", out, errs)
	}
	out, errs, _ = p.script(p.at("out"), "bash", "-c", p.init("bash")+"; npm; cd ../proj && npm; cd /; npm")
	if out != "real npm\nshim npm\nreal npm\n" || errs != "" {
		t.Errorf("%q, %q", out, errs)
	}
}

// A working directory that is gone: silence, and what is above it still counts.
func TestBashDeletedDirectory(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	s.run("mkdir out/x; cd out/x; rmdir ../x")
	s.silent("")
	s.silent("")
	s.inside(p, false)
	s.run("cd " + p.at("proj") + "; mkdir x; cd x; rmdir ../x")
	s.silent("")
	s.inside(p, true)
	s.run("mkdir -p " + p.at("gone/.ai-jail") + "; cd " + p.at("gone"))
	s.inside(p, true)
	s.says("rm -r "+p.at("gone"), "jail: off")
	s.silent("")
	s.inside(p, false)
}

func TestBashMessages(t *testing.T) {
	p := newPlace(t)
	for _, dir := range []string{"proj/inner/.ai-jail", "proj2/.ai-jail"} {
		must(t, os.MkdirAll(p.at(dir), 0o755))
	}
	must(t, os.Symlink(p.at("proj/a"), p.at("in")))
	s := p.hooked(p.dir)
	for _, test := range []struct{ line, want string }{
		{"cd proj", "jail: on (proj)"},
		{"cd a", ""},
		{"cd b/c", ""},
		{"cd ..", ""},
		{"cd " + p.at("proj"), ""},
		{"cd inner", "jail: on (inner)"},
		{"cd ..", "jail: on (proj)"},
		{"cd ../proj2", "jail: on (proj2)"},
		{"cd ../out; cd ../proj2", ""},
		{"(cd ../out)", ""},
		{"cd /", "jail: off"},
		{"cd /tmp; cd /", ""},
		{"cd " + p.at("in"), "jail: on (in/..)"},
		{"cd b", ""},
		{"cd -P .", ""}, // the same root by another path
		{"cd / 2>/dev/null", "jail: off"},
	} {
		s.says(test.line, test.want)
	}
	// To a terminal only.
	cmd := exec.Command("bash", "--norc", "--noprofile", "-i")
	cmd.Dir, cmd.Env = p.dir, p.env("PS1=")
	cmd.Stdin = strings.NewReader(p.init("bash") + "\ncd proj\nnpm\ncd ..\n")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "jail:") || !strings.Contains(string(out), "shim npm") {
		t.Errorf("%q, %v", out, err)
	}
}

func TestBashMessageIsDim(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir, "TERM=xterm")
	s.says("cd proj", "\x1b[2mjail: on (proj)\x1b[m")
	s.says("NO_COLOR=1; cd /", "jail: off")
	s.says("unset NO_COLOR; TERM=dumb; cd "+p.at("proj"), "jail: on (proj)")
}

// A cd of the user's own stays, before the hook and after it (zoxide#694).
func TestBashOwnCd(t *testing.T) {
	p := newPlace(t)
	s := p.bash(p.dir)
	s.run(`cd() { builtin cd "$@" && mine=yes; }`)
	s.silent(p.init("bash"))
	s.says("cd proj; echo $mine", "yes\njail: on (proj)")
	s.inside(p, true)
	s.silent(p.uninit("bash"))
	s.says("mine=; cd ..; echo $mine", "yes")

	s = p.hooked(p.dir)
	s.run(`cd() { builtin cd "$@" && mine=yes; }`)
	s.silent(p.init("bash")) // loaded again: still the user's
	s.says("cd proj; echo $mine", "yes\njail: on (proj)")
	s.run("cd ..")

	// One that wraps ours, as zoxide --cmd cd does not but others do.
	s = p.hooked(p.dir)
	s.run(`eval "$(declare -f cd | sed '1s/cd/old_cd/')"; cd() { old_cd "$@"; }`)
	s.says("cd proj; "+which, p.at("jail/shims/npm")+"\njail: on (proj)")
}

func TestBashNoCd(t *testing.T) {
	p := newPlace(t)
	p.settings.NoCd = true
	s := p.hooked(p.dir)
	s.says("declare -F cd pushd popd", "")
	s.says("cd proj", "jail: on (proj)")
	s.inside(p, true)
	s.run("cd ..")
	p.settings.NoCd = false
	s.silent(p.init("bash"))
	s.says("declare -F cd pushd popd", "cd\npushd\npopd")
	p.settings.NoCd = true
	s.silent(p.init("bash"))
	s.says("declare -F cd pushd popd", "")
}

func TestBashAliases(t *testing.T) {
	p := newPlace(t)
	s := p.bash(p.dir)
	s.run(`alias cd='cd -P' pushd='pushd -n' printf='echo broken' local='echo broken' return='echo broken' set='echo broken' unset='echo broken' builtin='echo broken' shopt='echo broken' eval='echo broken'`)
	s.silent(p.init("bash"))
	s.says("cd proj", "jail: on (proj)")
	s.says("type -P npm", p.at("jail/shims/npm"))
	s.says("alias cd", "alias cd='cd -P'")
	s.silent(p.init("bash"))
	s.says("cd ..", "jail: off")
	s.silent(p.uninit("bash"))
	s.says("alias cd", "alias cd='cd -P'")
	out, errs, _ := p.script(p.dir, "bash", "-c", p.init("bash")+"; \\shopt expand_aliases")
	if out != "expand_aliases \toff\n" || errs != "" {
		t.Errorf("a shell that is not interactive now has aliases: %q %q", out, errs)
	}
}

// Functions of the user's with the names of builtins, and variables of any name.
func TestBashFunctionsAndVariables(t *testing.T) {
	p := newPlace(t)
	s := p.bash(p.dir)
	s.run(`printf() { echo broken; }; type() { echo broken; }; unset() { echo broken; }; declare() { echo broken; }`)
	s.run(`readonly i=1 dir=1 path=1 root=1 status=1 name=1 x=1 entry=1 old=1 new=1; vars=mine; REPLY=mine`)
	s.run("IFS=_/a; shopt -s nocasematch extglob nullglob failglob dotglob; GLOBIGNORE='*'")
	s.silent(p.init("bash"))
	s.says("cd proj", "jail: on (proj)")
	s.says("builtin type -P npm", p.at("jail/shims/npm"))
	s.says("cd ..", "jail: off")
	s.says(`echo "$vars $REPLY $IFS"`, "mine mine _/a")
	s.silent(p.init("bash"))
	s.silent(p.uninit("bash"))
}

// Agents copy functions into bash -c and leave out those that begin with _.
func TestBashWrappersStandAlone(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	s.run("declare -f cd pushd popd >" + p.at("functions"))
	out, errs, status := p.script(p.dir, "bash", "-euc", ". "+p.at("functions")+"; cd out; pwd; pushd ../proj >/dev/null; pwd; popd >/dev/null; pwd; cd nowhere 2>/dev/null || echo no; npm")
	if want := p.at("out") + "\n" + p.at("proj") + "\n" + p.at("out") + "\nno\nreal npm\n"; out != want || errs != "" || status != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
}
