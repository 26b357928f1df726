package shell

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"jail/internal/needed"
)

// zsh starts an interactive zsh in dir, without the hook and without zle, which
// would echo.
func (p place) zsh(dir string, env ...string) *session {
	p.t.Helper()
	needed.Program(p.t, "zsh")
	s, _ := p.start(dir, p.env(env...), "zsh", "-f", "-i", "-o", "no_zle", "-o", "no_prompt_sp", "-o", "no_prompt_cr", "-o", "no_beep")
	return s
}

func (p place) zshHooked(dir string, env ...string) *session {
	p.t.Helper()
	s := p.zsh(dir, env...)
	s.silent(p.init("zsh"))
	return s
}

const zshWhich = "whence -p npm"

func (s *session) zshInside(p place, want bool) {
	s.t.Helper()
	npm := p.at("bin/npm")
	if want {
		npm = p.at("jail/shims/npm")
	}
	s.shows(zshWhich, npm)
}

func TestZshWaysIn(t *testing.T) {
	const shim, real = "jail/shims/npm", "bin/npm"
	for _, test := range []struct{ name, lines, want string }{
		{"next prompt", "cd proj\n" + zshWhich, shim},
		{"same line", "cd proj && " + zshWhich, shim},
		{"same line, run", "cd proj && npm", "shim npm"},
		{"leave from below", "cd proj/a/b\ncd /\n" + zshWhich, real},
		{"leave on the same line", "cd proj\ncd ../out; " + zshWhich, real},
		{"subshell", "(cd proj; " + zshWhich + ")", shim},
		{"after a subshell", "(cd proj; :)\n" + zshWhich, real},
		{"substitution", "echo $(cd proj; " + zshWhich + ")", shim},
		{"pushd", "pushd proj >/dev/null; " + zshWhich, shim},
		{"popd", "pushd proj >/dev/null; popd >/dev/null; " + zshWhich, real},
		{"cd -", "cd proj; cd ../out; cd - >/dev/null; " + zshWhich, shim},
		{"autocd", "setopt autocd; unsetopt cdablevars\n./proj\n" + zshWhich, shim},
		{"builtin cd", "builtin cd proj; " + zshWhich, shim},
		{"cd -q, next prompt", "cd -q proj\n" + zshWhich, shim},
		{"CDPATH", "cdpath=($PWD/other); cd proj2 >/dev/null; " + zshWhich, shim},
		{"link in", "cd in; " + zshWhich, shim},
		{"link in, deep", "cd in/b/c; " + zshWhich, shim},
		{"link out", "cd proj/away; " + zshWhich, shim},
		{"link to the root", "cd out/back; " + zshWhich, shim},
		{"created in place", "cd out\nmkdir .ai-jail\n" + zshWhich, shim},
		{"removed in place", "cd out\nmkdir .ai-jail\nrmdir .ai-jail\n" + zshWhich, real},
		{"a file is no marker", "cd file\n" + zshWhich, real},
		{"deleted", "mkdir proj/x; cd proj/x; rmdir ../x\n" + zshWhich, shim},
		{"PATH behind", "cd proj; PATH=/usr/bin:$PATH\n" + zshWhich, shim},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.detours()
			s := p.zshHooked(p.dir)
			lines := strings.Split(test.lines, "\n")
			for _, line := range lines[:len(lines)-1] {
				s.run(line)
			}
			want := test.want
			if want == shim || want == real {
				want = p.at(want)
			}
			s.shows(lines[len(lines)-1], want)
		})
	}
}

func TestZshStartsInsideAndMessages(t *testing.T) {
	p := newPlace(t)
	must(t, os.Symlink(p.at("proj/a"), p.at("in")))
	s := p.zshHooked(p.at("proj/a"))
	s.zshInside(p, true)
	s.silent("cd ..")
	s.says("cd ../out", "jail: off")
	s.says("cd ../in", "jail: on (proj)") // zsh knows the path on disk
	s.silent("cd b")
	s.silent("cd -P .")
	s.says("(cd /); cd /", "jail: off")
	s.run("mkdir -p " + quote(p.at("odd/with space/.ai-jail")))
	s.says("cd "+quote(p.at("odd/with space")), "jail: on ('with space')")
	for _, name := range odd() {
		must(t, os.MkdirAll(p.at("odd/"+name+"/.ai-jail"), 0o755))
		out := s.run("cd -- " + quote(p.at("odd/"+name)))
		if strings.Count(out, "\n") > 1 || strings.ContainsAny(out, "\a\x1b\t") {
			t.Errorf("%q: the prompt said %q", name, out)
		}
		s.zshInside(p, true)
		s.run("cd /")
		s.zshInside(p, false)
	}
	if _, err := os.Stat(p.at("odd/pwned")); err == nil {
		t.Error("a name was evaluated")
	}
}

// Options that change what zsh code means, and the status of a line.
func TestZshOptions(t *testing.T) {
	for _, options := range []string{
		"ksh_arrays", "sh_word_split", "no_unset", "err_exit", "err_return", "nomatch", "warn_create_global", "glob_subst", "extended_glob",
		"rc_quotes", "ksh_glob", "null_glob", "no_equals", "ignore_braces", "csh_nullcmd", "pipe_fail", "posix_builtins", "no_multios", "all_export", "typeset_silent", "no_clobber", "no_rcs", "hist_subst_pattern",
		"ksh_arrays sh_word_split no_unset err_exit warn_create_global",
	} {
		t.Run(options, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			s := p.zsh(p.dir)
			s.run("alias cd='cd -P' print='echo broken' typeset='echo broken' local='echo broken' return='echo broken'; alias -g PATH='broken' G='| broken'")
			s.run("unalias -m 'PATH'; precmd() { seen=$?; }; seen=0")
			s.run("setopt " + options)
			s.silent(p.init("zsh"))
			s.silent(p.init("zsh"))
			s.silent("! true")
			s.says("cd proj", "jail: on (proj)")
			s.zshInside(p, true)
			s.silent("if (exit 4); then :; fi")
			if !strings.Contains(options, "err_") {
				s.run("(exit 3)")
				s.shows("echo $seen", "3")
			}
			s.says("cd ..", "jail: off")
			s.zshInside(p, false)
			s.silent(p.uninit("zsh"))
			s.says("echo alive", "alive")
		})
	}
	p := newPlace(t)
	needed.Program(t, "zsh")
	out, errs, status := p.script(p.dir, "zsh", "-feuc", p.init("zsh")+"; cd proj; npm; cd ..; npm; "+p.uninit("zsh")+"; npm")
	if out != "shim npm\nreal npm\nreal npm\n" || errs != "" || status != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
}

// Last in the list, also behind what is added later; the user's own stay.
func TestZshRunsLast(t *testing.T) {
	p := newPlace(t)
	s := p.zshHooked(p.at("proj"))
	s.run("late() { PATH=/late:$PATH; }; precmd_functions+=(late)")
	s.run("") // ours moves behind it while the list is running
	s.shows("echo ${path[2]} $precmd_functions", p.at("jail/shims")+" late __jail_prompt")
	for range 3 {
		s.silent(p.init("zsh"))
	}
	s.shows("echo $precmd_functions $chpwd_functions", "late __jail_prompt __jail_move")
}

func TestZshUninit(t *testing.T) {
	for name, before := range map[string]string{
		"plain": ":", "functions": "a() { :; }; precmd_functions=(a); chpwd_functions=(a)", "inside": "cd proj",
		"direnv": "_direnv_hook() { :; }; a() { :; }; precmd_functions=(_direnv_hook a); chpwd_functions=(_direnv_hook)",
		"strict": "pip() { echo mine; }", "always": ":", "no-cd": ":", "moved": ":", "traps": "trap 'x=1' INT; TRAPUSR1() { :; }; precmd() { x=1; }; chpwd() { x=2; }",
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			if name == "strict" {
				p.settings.Strict, p.settings.Launcher = []string{"npm", "pip", "python3.12"}, p.at("bin/npm")
			}
			p.settings.Always, p.settings.NoCd = name == "always", name == "no-cd"
			p.knows("1", "root "+p.at("out"))
			s := p.zsh(p.dir)
			s.run("x=0")
			s.run(before)
			snapshot := `{ set; functions; alias; setopt; trap; typeset -p PATH; } | grep -avE '^(_|ARGC|[?!#$*@-]|0|argv|status|pipestatus|RANDOM|SECONDS|EPOCH.*|HISTCMD|LINENO|OLDPWD|TTYIDLE|PWD|funcstack|dirstack|LC_.*|COLUMNS|LINES|prompt|PROMPT|PS.|__jail_snapshot)=' | grep -v '^typeset .* OLDPWD' >`
			s.run(snapshot + p.at("before"))
			s.run(p.init("zsh"))
			s.run("cd proj/a 2>/dev/null; cd " + p.dir)
			if name == "moved" {
				p.move()
			}
			s.run(p.init("zsh"))
			if name == "inside" {
				s.run("cd " + p.at("proj"))
			}
			s.run(snapshot + p.at("hooked"))
			if s.run("cmp "+p.at("before")+" "+p.at("hooked")) == "" {
				t.Error("the snapshot does not show that the hook is loaded")
			}
			if name == "moved" {
				p.move()
			}
			s.run(p.uninit("zsh"))
			s.run(snapshot + p.at("after"))
			if out := s.run("diff " + p.at("before") + " " + p.at("after")); out != "" {
				t.Errorf("left behind:\n%s", out)
			}
			s.silent("cd " + p.at("proj"))
			s.shows(zshWhich, p.at("bin/npm"))
			s.silent(p.uninit("zsh")) // where nothing is loaded
		})
	}
}

func TestZshPathSurgery(t *testing.T) {
	p := newPlace(t)
	s := p.zshHooked(p.dir)
	farm := p.at("jail/shims")
	for _, path := range []string{"/a:/b", "/b:/a", ":/a", "/a:", "::", "/a::/b", "/a/:/a//b:~/c:./d:.", "/a b:/c'd", farm + "2:/a", `/back\slash:/*:/[a]`} {
		s.run("cd " + p.dir + "; PATH=" + quote(path))
		s.shows("cd proj; print -r -- $PATH", p.farms()+":"+path)
		s.run("PATH=" + quote(farm+":"+path+":"+farm+":"+p.at("jail/roots/x/shims")))
		s.shows("print -r -- $PATH", p.farms()+":"+path)
		s.shows("cd ..; print -r -- $PATH", path)
	}
	s.run("PATH=" + p.path() + "; readonly PATH")
	out := s.run("cd proj; echo still here")
	if !strings.Contains(out, "still here") || !strings.Contains(out, "not jailed") {
		t.Errorf("%q", out)
	}
}

func TestZshBrokenFarmAndAlways(t *testing.T) {
	p := newPlace(t)
	p.settings.Names = []string{"npm", "pip"}
	p.program("proj/.venv/bin/pip", "venv pip")
	s := p.zshHooked(p.dir)
	out := s.run("path=($PWD/proj/.venv/bin $path); cd proj")
	if !strings.Contains(out, "jail: without a shim, so not jailed here: pip\njail: hint: ") {
		t.Errorf("%q", out)
	}
	s.silent("")
	must(t, os.RemoveAll(p.at("jail/shims")))
	for range 2 {
		if out := s.run(":"); !strings.Contains(out, "commands here are not jailed") || strings.Count(out, "\n") != 2 {
			t.Errorf("%q", out)
		}
	}
	p = newPlace(t)
	p.settings.Always = true
	out, errs, _ := p.script("/", "zsh", "-fc", p.init("zsh")+"; npm; print -rn -- $PATH")
	if out != "shim npm\n"+p.at("jail/shims")+":"+p.path() || errs != "" {
		t.Errorf("%q %q", out, errs)
	}
}

func TestZshRootFarm(t *testing.T) {
	p := newPlace(t)
	own := "jail/roots" + p.at("proj") + "/shims"
	p.program(own+"/pytest", "shim pytest")
	s := p.zshHooked(p.dir)
	s.shows(`cd proj/a; print -r -- $PATH; pytest`, p.at(own)+":"+p.at("jail/shims")+":"+p.path()+"\nshim pytest")
	s.shows(`cd ../..; print -r -- $PATH`, p.path())
}

func TestZshVenv(t *testing.T) {
	p := newPlace(t)
	p.venv()
	activate := ". " + quote(p.at("proj/.venv/bin/activate"))
	s := p.zshHooked(p.at("out"), "VIRTUAL_ENV_DISABLE_PROMPT=1")
	for _, step := range [][2]string{
		{"cd ../proj", "shim"},
		{activate, "shim"},
		{"cd ../out", "venv"},
		{"deactivate", "real"},
		{"cd ../proj", "shim"},
		{activate, "shim"},
		{"deactivate", "shim"},
		{"cd ../out", "real"},
		{activate, "venv"},
		{"cd ../proj", "shim"},
		{"cd ../out; deactivate", "real"},
	} {
		s.run(step[0])
		s.shows("pip", step[1]+" pip")
	}
	s.shows("print -r -- $PATH", p.path())
}

func TestZshDirenv(t *testing.T) {
	direnv := needed.Program(t, "direnv")
	p := newPlace(t)
	p.venv()
	must(t, os.WriteFile(p.at("proj/.envrc"), []byte("PATH_add .venv/bin\n"), 0o644))
	env := []string{"XDG_DATA_HOME=" + p.at("home"), "XDG_CONFIG_HOME=" + p.at("home"), "DIRENV_LOG_FORMAT="}
	allow := exec.Command(direnv, "allow", p.at("proj/.envrc"))
	allow.Env = p.env(env...)
	must(t, allow.Run())
	s := p.zsh(p.at("out"), env...)
	s.run(p.init("zsh"))
	s.run(`eval "$(` + direnv + ` hook zsh)"`)
	inside := p.farms() + ":" + p.at("proj/.venv/bin") + ":" + p.path()
	for range 2 {
		s.run("cd ../proj")
		s.shows("print -r -- $PATH", inside)
		s.run("touch .envrc")
		s.shows("print -r -- $PATH", inside)
		s.run("cd ../out")
		s.shows("print -r -- $PATH", p.path())
	}
}

func TestZshStartsNoProcess(t *testing.T) {
	strace := needed.Program(t, "strace")
	needed.Program(t, "zsh")
	p := newPlace(t)
	p.detours()
	log := p.at("strace")
	s, _ := p.start(p.dir, p.env(), strace, "-f", "-o", log, "-e", "trace=clone,clone3,fork,vfork,execve",
		"zsh", "-f", "-i", "-o", "no_zle", "-o", "no_prompt_sp", "-o", "no_prompt_cr")
	s.run(p.init("zsh"))
	for range 10 {
		s.run("")
	}
	s.says("cd proj/a", "jail: on (proj)")
	s.says("cd ../..", "jail: off")
	s.says("cd in", "jail: on (proj)")
	for range 10 {
		s.run("")
	}
	if got := calls(t, log); got != 1 {
		t.Errorf("%d calls, where only zsh itself should have been started", got)
	}
	s.run("/bin/true")
	if got := calls(t, log); got != 3 {
		t.Errorf("after a clone and an execve there are %d calls in the log", got)
	}
}

func TestZshCost(t *testing.T) {
	p := newPlace(t)
	measure := `
zmodload zsh/datetime
least() {
	local -i i; local -F best=9999 from to
	for ((i = 0; i < $1; i++)); do
		from=$EPOCHREALTIME; eval "$2"; to=$EPOCHREALTIME
		if ((to - from < best)); then best=$((to - from)); fi
	done
	printf '%d ' $((best * 1000000))
}
ten='__jail_prompt; __jail_prompt; __jail_prompt; __jail_prompt; __jail_prompt; __jail_prompt; __jail_prompt; __jail_prompt; __jail_prompt; __jail_prompt'
cd $1; least 100 $ten; cd $2; least 100 $ten; least 50 'x=$(/bin/true)'`
	out, errs, status := p.script(p.dir, needed.Program(t, "zsh"), "-fc", p.init("zsh")+measure, "zsh", p.at("out"), p.at("proj"))
	p.cheap("zsh", 25, out, errs, status)
}
