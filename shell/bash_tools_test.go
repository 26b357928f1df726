package shell

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"jail/internal/needed"
)

// venv makes a real virtual environment in the project, with a pip in it that
// says so, and a pip elsewhere on PATH and in the farm.
func (p place) venv() {
	p.t.Helper()
	python := needed.Program(p.t, "python3")
	cmd := exec.Command(python, "-m", "venv", "--without-pip", p.at("proj/.venv"))
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
	p.program("proj/.venv/bin/pip", "venv pip")
	p.program("bin/pip", "real pip")
	p.program("jail/shims/pip", "shim pip")
}

// Activation and deactivation, inside and outside, in every order: the shims are
// first inside and nowhere else, and the environment is never lost.
func TestBashVenv(t *testing.T) {
	p := newPlace(t)
	p.venv()
	activate := ". " + quote(p.at("proj/.venv/bin/activate"))
	in, out := "cd "+quote(p.at("proj")), "cd "+quote(p.at("out"))
	for _, order := range []struct {
		name  string
		steps [][2]string // a line, and what pip is at the next prompt
	}{
		{"inside and out", [][2]string{{in, "shim"}, {activate, "shim"}, {out, "venv"}, {"deactivate", "real"}, {in, "shim"}, {out, "real"}}},
		{"inside and back", [][2]string{{in, "shim"}, {activate, "shim"}, {"deactivate", "shim"}, {out, "real"}}},
		{"outside and in", [][2]string{{activate, "venv"}, {in, "shim"}, {"deactivate", "shim"}, {out, "real"}}},
		{"outside and back", [][2]string{{activate, "venv"}, {in, "shim"}, {out, "venv"}, {"deactivate", "real"}}},
		{"over and over", [][2]string{{in, "shim"}, {activate, "shim"}, {out, "venv"}, {in, "shim"}, {activate, "shim"}, {out, "venv"}, {activate, "venv"}, {in, "shim"}, {"deactivate", "shim"}, {out, "real"}}},
	} {
		t.Run(order.name, func(t *testing.T) {
			p := p
			p.t = t
			s := p.hooked(p.at("out"), "VIRTUAL_ENV_DISABLE_PROMPT=1")
			for i, step := range order.steps {
				s.run(step[0])
				if got := s.quiet("pip"); got != step[1]+" pip" {
					t.Errorf("step %d, %s: %q, want %s", i, step[0], got, step[1])
				}
				venv := `case $PATH in *.venv/bin*) echo on ;; *) echo off ;; esac`
				if got := s.quiet(`[[ ${VIRTUAL_ENV-} ]] && ` + venv + ` || echo off`); got == "off" && step[1] == "venv" {
					t.Errorf("step %d, %s: the environment is lost", i, step[0])
				}
			}
			s.shows(`echo "$PATH"`, p.path())
		})
	}
}

// direnv puts directories on PATH, takes them away, and puts back a PATH that it
// saved; loaded before us and after us.
func TestBashDirenv(t *testing.T) {
	direnv := needed.Program(t, "direnv")
	p := newPlace(t)
	p.venv()
	must(t, os.WriteFile(p.at("proj/.envrc"), []byte("PATH_add .venv/bin\nexport FOO=1\n"), 0o644))
	env := []string{"XDG_DATA_HOME=" + p.at("home"), "XDG_CONFIG_HOME=" + p.at("home"), "DIRENV_LOG_FORMAT="}
	allow := exec.Command(direnv, "allow", p.at("proj/.envrc"))
	allow.Env = p.env(env...)
	if out, err := allow.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	hook := `eval "$(` + direnv + ` hook bash)"`
	for name, load := range map[string][]string{
		"before us": {hook, p.init("bash")},
		"after us":  {p.init("bash"), hook},
		"twice":     {hook, p.init("bash"), hook, p.init("bash")},
	} {
		t.Run(name, func(t *testing.T) {
			p := p
			p.t = t
			s := p.bash(p.at("out"), env...)
			for _, line := range load {
				s.run(line)
			}
			venv := p.at("proj/.venv/bin")
			inside := p.farms() + ":" + venv + ":" + p.path()
			for range 2 {
				s.run("cd " + quote(p.at("proj")))
				s.shows(`echo "$FOO $PATH"`, "1 "+inside)
				s.run("touch .envrc")
				s.shows(`echo "$FOO $PATH"`, "1 "+inside)
				s.run("cd a/b")
				s.shows(`echo "$FOO $PATH"`, "1 "+inside)
				s.run("cd " + quote(p.at("out")))
				s.shows(`echo "$FOO $PATH"`, " "+p.path())
			}
			s.run("cd ../proj")
			s.shows("pip", "shim pip")
			s.run(p.uninit("bash"))
			s.shows("pip", "venv pip")
		})
	}
}

// A pane of tmux, whose server was started elsewhere and earlier, with a login shell
// that sets PATH anew (tmux#470): nothing is inherited that could say "active".
func TestBashInTmux(t *testing.T) {
	tmux := needed.Program(t, "tmux")
	p := newPlace(t)
	must(t, os.WriteFile(p.at("home/.bash_profile"), []byte("PATH="+p.path()+"\n"+p.init("bash")+"\nPS1='> '\n"), 0o644))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(tmux, append([]string{"-S", p.at("socket"), "-f", "/dev/null"}, args...)...)
		cmd.Dir, cmd.Env = p.at("out"), p.env("TERM=screen")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	run("new-session", "-d", "-x", "200", "-y", "50", "-c", p.at("out"), "bash -l")
	t.Cleanup(func() { run("kill-server") })
	run("new-window", "-c", p.at("proj"), "bash -l")
	run("send-keys", "type -P npm >"+p.at("in")+"; cd ../out", "Enter")
	run("send-keys", "type -P npm >"+p.at("left")+"; echo >"+p.at("done"), "Enter")
	for deadline := time.Now().Add(time.Minute); ; {
		if _, err := os.Stat(p.at("done")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the pane shows\n%s", run("capture-pane", "-p"))
		}
		run("list-windows") // asks the server, which takes a moment
	}
	for file, want := range map[string]string{"in": p.at("jail/shims/npm"), "left": p.at("bin/npm")} {
		if got, _ := os.ReadFile(p.at(file)); strings.TrimSpace(string(got)) != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if shown := run("capture-pane", "-p"); !strings.Contains(shown, "jail: off") {
		t.Errorf("the pane shows\n%s", shown)
	}
}

// The hook starts no process: not at ten prompts, not on entering, not on
// leaving, and not while it is loaded. strace sees every clone and execve.
func TestBashStartsNoProcess(t *testing.T) {
	strace := needed.Program(t, "strace")
	p := newPlace(t)
	p.detours()
	log := p.at("strace")
	init := p.init("bash")
	s, _ := p.start(p.dir, p.env("PROMPT_COMMAND=:"), strace, "-f", "-o", log,
		"-e", "trace=clone,clone3,fork,vfork,execve", "bash", "--norc", "--noprofile", "--noediting", "-i")
	s.run(init)
	for range 10 {
		s.run("")
	}
	s.says("cd proj/a", "jail: on (proj)")
	s.run("cd ../..")
	s.says("builtin cd in", "jail: on (in/..)")
	for range 10 {
		s.run("")
	}
	s.says("cd ..", "jail: off")
	if got := calls(t, log); got != 1 {
		t.Errorf("%d calls, where only bash itself should have been started", got)
	}
	s.run("/bin/true") // and so the log would have shown it
	if got := calls(t, log); got != 3 {
		t.Errorf("after a clone and an execve there are %d calls in the log", got)
	}
}

// calls counts the calls in a log of strace that start a process or a program. Exits,
// signals and threads are in it too.
func calls(t *testing.T, log string) int {
	t.Helper()
	text, err := os.ReadFile(log)
	must(t, err)
	n := 0
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "(") && !strings.Contains(line, "---") && !strings.Contains(line, "resumed") &&
			!strings.Contains(line, "CLONE_THREAD") {
			n++
		}
	}
	return n
}

// What a prompt costs, against one command substitution. The shell's own clock
// times ten at once, and the least of many such times counts: a busy machine makes
// some of them longer and none shorter.
func TestBashCost(t *testing.T) {
	p := newPlace(t)
	measure := `
least() {
	local i best=999999999 from to
	for ((i = 0; i < $1; i++)); do
		from=${EPOCHREALTIME/./} && eval "$2" && to=${EPOCHREALTIME/./}
		if ((to - from < best)); then best=$((to - from)); fi
	done
	echo "$best"
}
ten='eval "$PROMPT_COMMAND"'
ten="$ten; $ten; $ten; $ten; $ten; $ten; $ten; $ten; $ten; $ten; :"
cd "$1"; outside=$(least 100 "$ten")
cd "$2"; inside=$(least 100 "$ten")
echo "$outside $inside $(least 50 'x=$(/bin/true)')"`
	out, errs, status := p.script(p.dir, needed.Program(t, "bash"), "--norc", "-c", p.init("bash")+measure, "bash", p.at("out"), p.at("proj"))
	p.cheap("bash", 40, out, errs, status)
}

// slack is what a busy machine may add to a figure before a test fails. The log has
// the figure itself.
const slack = 4

// cheap judges three numbers of microseconds: ten prompts outside, ten inside, and
// one command substitution.
func (p place) cheap(shell string, limit int, out, errs string, status int) {
	p.t.Helper()
	var us [3]int
	if _, err := fmt.Sscan(out, &us[0], &us[1], &us[2]); err != nil || errs != "" || status != 0 {
		p.t.Fatalf("%v %q %q %d", err, out, errs, status)
	}
	us[0], us[1] = max(us[0], 1), max(us[1], 1) // a clock in ticks may say nothing
	p.t.Logf("%s at depth %d: a prompt outside %d us, inside %d us, $(/bin/true) %d us: 1/%d and 1/%d",
		shell, strings.Count(p.at("out"), "/"), us[0]/10, us[1]/10, us[2], us[2]*10/us[0], us[2]*10/us[1])
	if us[2]*10*slack < us[0]*limit || us[2]*10*slack < us[1]*limit {
		p.t.Errorf("a prompt costs more than %d/%d of one $(/bin/true)", slack, limit)
	}
}
