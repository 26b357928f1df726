package shell

import (
	"fmt"
	"strings"
	"testing"
)

// $? of a line is what the next line, PS1 and every other hook see.
func TestBashStatus(t *testing.T) {
	for name, before := range map[string]string{
		"none":   "unset PROMPT_COMMAND",
		"string": "PROMPT_COMMAND=keep",
		"array":  "PROMPT_COMMAND=(keep)",
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			s := p.bash(p.dir)
			s.run("keep() { seen=$?; return $seen; }; " + before)
			s.run(p.init("bash"))
			s.run(`PROMPT_COMMAND+=$'\nafter=$?'; trap 'echo ERR' ERR`)
			for _, status := range []string{"3", "0", "1", "130"} {
				out := s.run("(exit " + status + ")")
				errs := strings.Count(out, "ERR") // once for the line and once for keep, never for ours
				if limit := 2; errs > limit || status == "0" && errs > 0 || name == "none" && errs > 1 {
					t.Errorf("the ERR trap ran %d times", errs)
				}
				s.says("echo $? ${seen-"+status+"} $after", strings.TrimSpace(strings.Repeat(status+" ", 3)))
			}
			s.run("trap - ERR; PS1='<$?>" + prompt + "'")
			s.says("(exit 7)", "<7>")
			s.says("cd proj", "jail: on (proj)\n<0>")
			s.says("cd nowhere 2>/dev/null", "<1>")
		})
	}
}

func TestBashStatusOfCd(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	for _, test := range []struct{ line, want string }{
		{"cd proj; echo $?", "0"},
		{"cd ..; echo $?", "jail: off"},
		{"cd nowhere 2>/dev/null; echo $?", "1"},
		{"cd out && echo yes", "yes"},
		{"cd nowhere 2>/dev/null || echo no", "no"},
		{"cd -z 2>/dev/null; echo $?", "2"},
		{"pushd nowhere 2>/dev/null; echo $?", "1"},
		{"popd 2>/dev/null; echo $?", "1"},
		{"cd '' ; echo $?", "0"},
		{"cd a b 2>/dev/null; echo $?", "1"},
	} {
		out := s.run(test.line)
		if first, _, _ := strings.Cut(out, "\n"); first != test.want && !strings.Contains(out, test.want) {
			t.Errorf("%s\nprinted %q, want %q", test.line, out, test.want)
		}
	}
	// The builtin's words are its own.
	s.run("cd " + p.dir)
	s.says("CDPATH="+p.dir+"; cd out", p.at("out"))
	s.says("unset CDPATH; cd - ", p.dir)
	s.says("pushd out; cd "+p.dir+"; popd", fmt.Sprintf("%s %s\n%s", p.at("out"), p.dir, p.dir))
}

// set -e, -u, -o pipefail, alone and together, and a status that is not 0
// (direnv, mise: the shell dies after `! true`).
func TestBashStrictShells(t *testing.T) {
	for _, options := range []string{"-e", "-u", "-eu", "-euo pipefail", "-E", "-T", "-eET", "-o posix", "-f", "-C", "-a", "-eauT -o posix"} {
		for name, before := range map[string]string{
			"string": "PROMPT_COMMAND=:", "array": "PROMPT_COMMAND=(: :)", "none": "unset PROMPT_COMMAND",
		} {
			t.Run(options+" "+name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				s := p.bash(p.dir)
				s.run(before)
				s.silent("set " + options)
				s.silent(p.init("bash"))
				s.silent("! true")
				s.silent("false || true")
				s.silent("")
				s.says("cd proj", "jail: on (proj)")
				s.inside(p, true)
				s.silent("! true")
				s.silent("if (exit 4); then :; fi")
				s.says("cd ..", "jail: off")
				s.silent("cd nowhere 2>/dev/null || :")
				s.silent(p.init("bash"))
				s.inside(p, false)
				s.silent(p.uninit("bash"))
				s.silent("! true")
				s.says("echo alive", "alive")
			})
		}
	}
	p := newPlace(t)
	out, errs, status := p.script(p.dir, "bash", "-euo", "pipefail", "-c", p.init("bash")+"; cd proj; npm; cd ..; npm; "+p.uninit("bash")+"; npm")
	if out != "shim npm\nreal npm\nreal npm\n" || errs != "" || status != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
	// What ends a shell still ends it.
	out, _, status = p.script(p.dir, "bash", "-ec", p.init("bash")+"; cd nowhere 2>/dev/null; echo on")
	if out != "" || status != 1 {
		t.Errorf("set -e passed over a failed cd: %q %d", out, status)
	}
}

// Some tools collect the names of functions instead of commands.
func TestBashCalledByName(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	s.run("PROMPT_COMMAND=__jail_prompt; set -e")
	s.silent("! true")
	s.silent("if (exit 4); then :; fi")
	s.says("builtin cd proj", "jail: on (proj)")
	s.run("set +e; PROMPT_COMMAND+='; seen=$?'")
	s.run("(exit 5)")
	s.says("echo $seen", "5")
}

// The forms that PROMPT_COMMAND has in the wild, and what is left of each.
func TestBashPromptCommandForms(t *testing.T) {
	for _, before := range []string{
		"", "x=1", "x=1;", "x=1; ", "x=1\n", "x=1 # comment", ":;", "\n", " ", "if true; then x=1; fi", "x='a;b'",
	} {
		t.Run(before, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			s := p.bash(p.dir)
			s.run("PROMPT_COMMAND=" + quote(before))
			s.run(p.init("bash"))
			s.run(p.init("bash"))
			s.run("")
			if out := s.run("builtin cd proj"); !strings.HasSuffix(out, "jail: on (proj)\n") || strings.Contains(out, "rror") {
				t.Errorf("printed %q", out)
			}
			s.run(p.uninit("bash"))
			s.says(`declare -p PROMPT_COMMAND`, "declare -- PROMPT_COMMAND="+bashQuoted(t, before))
		})
	}
}

// bashQuoted is text as declare -p shows it.
func bashQuoted(t *testing.T, text string) string {
	t.Helper()
	p := place{t: t, dir: t.TempDir()}
	out, _, _ := p.script(p.dir, "bash", "-c", "x="+quote(text)+"; declare -p x")
	return strings.TrimSuffix(strings.TrimPrefix(out, "declare -- x="), "\n")
}

func TestBashPromptCommandArrays(t *testing.T) {
	for _, before := range []string{`()`, `(a=1)`, `(a=1 "b=2; c=3")`, `([0]="a=1" [5]="b=2")`, `([2]="b=2")`, `("")`} {
		t.Run(before, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			s := p.bash(p.dir)
			s.run("declare -a PROMPT_COMMAND=" + before)
			want := s.run("declare -p PROMPT_COMMAND")
			s.silent(p.init("bash"))
			s.silent(p.init("bash"))
			s.silent(p.init("bash"))
			s.says(`n=0; for x in "${PROMPT_COMMAND[@]}"; do case $x in *__jail*) n=$((n + 1)) ;; esac; done; echo $n`, "1")
			s.says("builtin cd proj", "jail: on (proj)")
			s.run(p.uninit("bash"))
			if got := s.run("declare -p PROMPT_COMMAND"); got != want {
				t.Errorf("left %q, was %q", got, want)
			}
		})
	}
}

// Our entry runs after those that were there, and moves behind later ones when
// the hook is loaded again.
func TestBashRunsLast(t *testing.T) {
	p := newPlace(t)
	other := `; order='PATH=/first:$PATH'`
	for _, before := range []string{`PROMPT_COMMAND=$order`, `PROMPT_COMMAND=($order)`} {
		s := p.bash(p.at("proj"))
		s.run(":" + other + "; " + before)
		s.run(p.init("bash"))
		s.says(`echo "${PATH%%:/first*}"`, p.farms())
		s.run(`PATH=` + p.path() + `; PROMPT_COMMAND+=$'\nPATH=/second:$PATH'`)
		s.run(p.init("bash"))
		s.says(`echo "${PATH%%:/second*}"`, p.farms())
	}
}

// Others put commands around our entry, or run it from variables of their own.
func TestBashEntryIsMovedAbout(t *testing.T) {
	for name, move := range map[string]string{
		"prepended":    `PROMPT_COMMAND="x=1;$PROMPT_COMMAND"`,
		"appended":     `PROMPT_COMMAND="$PROMPT_COMMAND;x=1"`,
		"both":         `PROMPT_COMMAND="x=1; ${PROMPT_COMMAND}; x=2"`,
		"starship":     `STARSHIP_PROMPT_COMMAND=$PROMPT_COMMAND; st() { eval "$STARSHIP_PROMPT_COMMAND"; }; PROMPT_COMMAND=st`,
		"vscode":       `__vsc_original_prompt_command=("$PROMPT_COMMAND"); vs() { local c; for c in "${__vsc_original_prompt_command[@]}"; do eval "${c:-}"; done; }; PROMPT_COMMAND=vs`,
		"unknown":      `mine=$PROMPT_COMMAND; un() { eval "$mine"; }; PROMPT_COMMAND=un`,
		"to an array":  `PROMPT_COMMAND=("$PROMPT_COMMAND" "x=1")`,
		"called twice": `PROMPT_COMMAND+=$'\n'$PROMPT_COMMAND`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			s := p.hooked(p.dir)
			s.silent(move)
			s.says("builtin cd proj", "jail: on (proj)")
			s.inside(p, true)
			s.silent(p.init("bash"))
			s.inside(p, true)
			s.says("builtin cd ..", "jail: off")
			s.silent(p.uninit("bash"))
			s.silent("builtin cd proj")
			s.silent("")
			s.inside(p, false)
		})
	}
}

func TestBashReadonlyPromptCommand(t *testing.T) {
	for _, before := range []string{"readonly PROMPT_COMMAND=:", "readonly -a PROMPT_COMMAND='(:)'", "readonly PROMPT_COMMAND"} {
		p := newPlace(t)
		s := p.bash(p.dir)
		s.run(before)
		out := s.run(p.init("bash") + "; echo the rest of the file")
		if strings.Count(out, "jail: PROMPT_COMMAND is readonly") != 1 || !strings.Contains(out, "the rest of the file") || strings.Contains(out, "bash:") {
			t.Errorf("%s: printed %q", before, out)
		}
		s.silent("cd proj")
		s.inside(p, true)
		s.silent("cd ..")
		s.inside(p, false)
		s.silent(p.uninit("bash"))
		s.says("echo alive", "alive")
	}
}

// The prompt leaves no variable, no trap, no job and no option behind.
func TestBashLeavesNothingAtAPrompt(t *testing.T) {
	p := newPlace(t)
	s := p.bash(p.dir)
	s.run("trap 'echo int' INT; trap 'echo err' ERR; trap 'echo debug >/dev/null' DEBUG; trap 'echo exit >/dev/null' EXIT")
	snapshot := "{ compgen -v; trap; shopt; shopt -o; alias; jobs; } >"
	s.run("diff=; OLDPWD=/; " + snapshot + p.at("before"))
	s.run(snapshot + p.at("before"))
	s.silent(p.init("bash"))
	for range 3 {
		s.silent("")
	}
	s.run("cd proj; true")
	s.run("cd ..")
	s.run(snapshot + p.at("after"))
	out := s.run("diff " + p.at("before") + " " + p.at("after") + " | grep '^[<>]' | grep -v '^> __jail_'")
	if strings.TrimSpace(out) != "> PROMPT_COMMAND\nerr" && strings.TrimSpace(out) != "> PROMPT_COMMAND" {
		t.Errorf("changed: %q", out)
	}
}

// uninit leaves the shell as it was before init, byte for byte.
func TestBashUninit(t *testing.T) {
	for name, before := range map[string]string{
		"plain":  ":",
		"string": "PROMPT_COMMAND='x=1; '",
		"empty":  "PROMPT_COMMAND=",
		"array":  "PROMPT_COMMAND=('x=1' 'y=2')",
		"alias":  "alias cd='cd -P'; PROMPT_COMMAND=:",
		"noals":  "shopt -u expand_aliases",
		"direnv": "_direnv_hook() { :; }; x() { :; }; PROMPT_COMMAND='_direnv_hook;x'",
		"alone":  "_direnv_hook() { :; }; PROMPT_COMMAND=_direnv_hook",
		"mixed":  "_mise_hook() { :; }; PROMPT_COMMAND=('x=1' [4]='_mise_hook;y=1' [7]=_mise_hook [9]='# _mise_hook')",
		"strict": "pip() { echo mine; }",
		"always": ":", "no-cd": "cd() { builtin cd \"$@\"; }", "moved": ":",
		"mise":  "chpwd_functions=(a b); PROMPT_COMMAND=_mise_hook_prompt_command; _mise_hook_prompt_command() { :; }",
		"traps": "trap 'x=1' INT; trap 'x=2' EXIT; trap : DEBUG; set -o noclobber",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			if name == "strict" {
				p.settings.Strict, p.settings.Launcher = []string{"npm", "pip", "python3.12"}, p.at("bin/npm")
			}
			p.settings.Always, p.settings.NoCd = name == "always", name == "no-cd"
			p.knows("1", "root "+p.at("out"))
			s := p.bash(p.dir)
			s.run(before)
			snapshot := `{ set; declare -F; trap; shopt; shopt -o; alias; declare -px; } | grep -vE '^(_|BASH_[A-Z]*|PIPESTATUS|LINENO|RANDOM|SECONDS|EPOCH[A-Z]*|SRANDOM|HISTCMD|OLDPWD|FUNCNAME|declare -x OLDPWD.*)(=|$)' | grep -v '^declare -x OLDPWD' >`
			s.run("x=1 y=2")
			s.run(snapshot + p.at("before"))
			s.run(p.init("bash"))
			s.run("")
			s.run("cd proj/a")
			s.run("cd " + p.dir)
			if name == "moved" {
				p.move()
			}
			s.run(p.init("bash"))
			s.run("cd proj; pushd a; popd; cd " + p.dir)
			s.run(snapshot + p.at("hooked"))
			if s.run("cmp "+p.at("before")+" "+p.at("hooked")) == "" {
				t.Error("the snapshot does not show that the hook is loaded")
			}
			if name == "moved" {
				p.move()
			}
			s.run(p.uninit("bash"))
			s.run(snapshot + p.at("after"))
			if out := s.run("diff " + p.at("before") + " " + p.at("after")); out != "" {
				t.Errorf("left behind:\n%s", out)
			}
			s.silent("cd proj")
			s.inside(p, false)
		})
	}
	// Inside, and where the hook was never loaded.
	p := newPlace(t)
	s := p.hooked(p.at("proj"))
	s.silent(p.uninit("bash"))
	s.says(`echo "$PATH"`, p.path())
	s = p.bash(p.at("proj"))
	s.silent(p.uninit("bash"))
	s.says(`echo "$PATH${PROMPT_COMMAND-}"`, p.path())
}

// Loading prints nothing, three times over, and an empty PATH is no obstacle.
func TestBashLoading(t *testing.T) {
	p := newPlace(t)
	out, errs, status := p.script(p.at("proj"), "bash", "-c", strings.Repeat(p.init("bash")+"; ", 3)+`printf '%s\n' "$PATH" "${PROMPT_COMMAND}"`)
	if want := p.farms() + ":" + p.path() + "\n" + `"${__jail_run-:}" && :` + "\n"; out != want || errs != "" || status != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
	code, _ := Init("bash", p.settings)
	out, errs, _ = p.script(p.at("proj"), "bash", "-c", "PATH=; eval "+quote(code)+"; eval \"$PROMPT_COMMAND\"; builtin echo \"$PATH\"")
	if out != p.farms()+"\n" || errs != "" {
		t.Errorf("%q %q", out, errs)
	}
}
