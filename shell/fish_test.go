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

// fish runs lines in fish with the hook loaded. A line that says "prompt" is what
// happens before one.
func (p place) fish(dir string, lines ...string) (stdout, stderr string) {
	p.t.Helper()
	fish := needed.Program(p.t, "fish")
	text := p.init("fish")
	for line := range strings.SplitSeq(strings.Join(lines, "\n"), "\n") {
		if line == "prompt" {
			line = "emit fish_prompt"
		}
		text += "\n" + line
	}
	must(p.t, os.WriteFile(p.at("script.fish"), []byte(text+"\n"), 0o644))
	out, errs, status := p.script(dir, fish, "-N", p.at("script.fish"))
	if status != 0 {
		p.t.Errorf("status %d: %q", status, errs)
	}
	return out, errs
}

func TestFishWaysIn(t *testing.T) {
	const shim, real, which = "jail/shims/npm", "bin/npm", "command -s npm"
	for _, test := range []struct{ name, lines, want string }{
		{"same line", "cd proj; and " + which, shim},
		{"same line, run", "cd proj; and npm", "shim npm"},
		{"deep", "cd proj/a/b/c; " + which, shim},
		{"leave from below", "cd proj/a/b; cd /; " + which, real},
		{"block", "begin; cd proj; " + which + "; end", shim},
		{"function", "function f; cd proj; end; f; " + which, shim},
		{"substitution", "echo (cd proj; " + which + ")", shim},
		{"pushd", "pushd proj; " + which, shim},
		{"popd", "pushd proj; popd; " + which, real},
		{"cd -", "cd proj; cd ../out; cd - ; " + which, shim},
		{"prevd", "cd proj; cd ../out; prevd; " + which, shim},
		{"implicit cd", "./proj\n" + which, shim},
		{"builtin cd", "builtin cd proj; " + which, shim},
		{"CDPATH", "set CDPATH $PWD/other; cd proj2; " + which, shim},
		{"link in", "cd in; " + which, shim},
		{"link in, deep", "cd in/b/c; " + which, shim},
		{"link out", "cd proj/away; " + which, shim},
		{"link to the root", "cd out/back; " + which, shim},
		{"created in place", "cd out; mkdir .ai-jail\nprompt\n" + which, shim},
		{"removed in place", "cd out; mkdir .ai-jail\nprompt\nrmdir .ai-jail\nprompt\n" + which, real},
		{"a file is no marker", "cd file; " + which, real},
		{"deleted", "mkdir proj/x; cd proj/x; rmdir ../x\nprompt\n" + which, shim},
		{"PATH behind, same line", "cd proj; set PATH /usr/bin $PATH; " + which, shim},
		{"fish_add_path", "cd proj; fish_add_path -P /usr/bin; " + which, shim},
		{"PATH lost", "cd proj; set PATH " + "/usr/bin /bin; " + which, shim},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.detours()
			out, errs := p.fish(p.dir, test.lines)
			want := test.want
			if want == shim || want == real {
				want = p.at(want)
			}
			if strings.TrimSpace(out) != want || errs != "" {
				t.Errorf("%q, %q, want %q", out, errs, want)
			}
		})
	}
}

func TestFishPath(t *testing.T) {
	p := newPlace(t)
	farm := p.at("jail/shims")
	for _, path := range []string{"/a /b", "/b /a", "/a /b /a", "'/a b' /c", farm + "2 /a", "/back\\\\slash '/*' '/[a]' '/?'"} {
		out, errs := p.fish(p.dir, "set PATH "+path, "string join : $PATH", "cd proj", "string join : $PATH",
			"set PATH $PATH "+farm+" "+p.at("jail/roots/x/shims"), "string join : $PATH", "cd ..", "string join : $PATH", "set -S PATH | string match -q '*exported*'; and echo exported")
		lines := strings.Split(out, "\n")
		if want := p.farms() + ":" + lines[0]; errs != "" || len(lines) != 6 || lines[1] != want || lines[2] != want || lines[3] != lines[0] || lines[4] != "exported" {
			t.Errorf("%q, %q", out, errs)
		}
	}
}

func TestFishOddNames(t *testing.T) {
	p := newPlace(t)
	for _, name := range odd() {
		must(t, os.MkdirAll(p.at("odd/"+name+"/.ai-jail"), 0o755))
		must(t, os.MkdirAll(p.at("odd/"+name+"/sub"), 0o755))
		must(t, os.MkdirAll(p.at("links"), 0o755))
		must(t, os.Symlink(p.at("out"), p.at("odd/"+name+"/away")))
		dir := fishQuote(p.at("odd/" + name))
		out, errs := p.fish(p.dir, "cd "+dir+"/sub", "npm", "cd /", "npm", "cd "+dir+"/away", "npm", "cd "+dir, "echo -n $__jail_root")
		if out != "shim npm\nreal npm\nshim npm\n"+p.at("odd/"+name) || errs != "" {
			t.Errorf("%q: %q, %q", name, out, errs)
		}
		if strings.Contains(name, ":") {
			continue
		}
		q := newPlace(t)
		q.program("odd/"+name+"/shims/npm", "shim npm")
		q.settings.Farm, q.settings.Roots = q.at("odd/"+name+"/shims"), q.at("odd/"+name+"/roots")
		out, errs = q.fish(q.dir, "set PATH $PATH "+fishQuote(q.settings.Roots+"/x/shims"), "cd proj", "npm", "cd ..", "npm", "string join : -- $PATH")
		if out != "shim npm\nreal npm\n"+q.path()+"\n" || errs != "" {
			t.Errorf("%q: %q, %q", name, out, errs)
		}
	}
	if _, err := os.Stat(p.at("pwned")); err == nil {
		t.Error("a name was evaluated")
	}
}

func TestFishLoadingAndUninit(t *testing.T) {
	for _, name := range []string{"plain", "always", "strict", "no-cd", "moved"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.fishUninit(name)
		})
	}
}

func (p place) fishUninit(name string) {
	t := p.t
	if name == "strict" {
		p.settings.Strict, p.settings.Launcher = []string{"npm", "pip", "python3.12"}, p.at("bin/npm")
	}
	p.settings.Always, p.settings.NoCd = name == "always", name == "no-cd"
	p.knows("1", "root "+p.at("out"))
	snapshot := "set -g | string match -v -r '^(_|status|pipestatus|history|fish_killring|last_pid|version|PWD|OLDPWD|dirprev|dirnext|__fish.*|umask|hostname|status_generation|CMD_DURATION|FISH_VERSION|fish_pid|COLUMNS|LINES|SHLVL|IFS|TERM) ' ; functions -na; functions -H; functions pip; set -U; set -gx | string match -v 'OLDPWD *'; string join : $PATH"
	must(t, os.WriteFile(p.at("snap.fish"), []byte(snapshot+"\n"), 0o644))
	fish := needed.Program(t, "fish")
	take := ". " + p.at("snap.fish") + " >"
	first := p.init("fish")
	must(t, os.Rename(p.at("init.fish"), p.at("first.fish")))
	first = strings.ReplaceAll(first, "init.fish", "first.fish")
	if name == "moved" {
		p.move()
	}
	second := p.init("fish")
	if name == "moved" {
		p.move()
	}
	script := strings.Join([]string{
		"set -g name mine; set -g dir mine; function pip; echo mine; end; function later --on-variable PATH --on-event fish_prompt; set -g seen 1; end; set -g seen 1; set -g entry 1",
		take + p.at("before"), first, "cd proj; cd ..", second, second,
		"emit fish_prompt", "cd proj; cd ..", take + p.at("hooked"), p.uninit("fish"), take + p.at("after"), "cd proj", "emit fish_prompt", "npm", p.uninit("fish"),
	}, "\n")
	out, errs, status := p.script(p.dir, fish, "-N", "-c", script)
	if out != "real npm\n" || errs != "" || status != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
	before, _ := os.ReadFile(p.at("before"))
	hooked, _ := os.ReadFile(p.at("hooked"))
	after, _ := os.ReadFile(p.at("after"))
	if string(before) != string(after) || string(before) == string(hooked) || len(before) == 0 {
		diff, _ := exec.Command("diff", p.at("before"), p.at("after")).Output()
		t.Errorf("left behind:\n%s", diff)
	}
}

func TestFishAlwaysRootFarmAndBroken(t *testing.T) {
	p := newPlace(t)
	p.settings.Always = true
	out, errs := p.fish("/", "npm", "cd "+p.at("proj"), "cd /", "npm", "string join : $PATH")
	if out != "shim npm\nshim npm\n"+p.at("jail/shims")+":"+p.path()+"\n" || errs != "" {
		t.Errorf("%q %q", out, errs)
	}
	p = newPlace(t)
	own := "jail/roots" + p.at("proj") + "/shims"
	p.program(own+"/pytest", "shim pytest")
	out, errs = p.fish(p.dir, "cd proj/a", "pytest", "string join : $PATH", "cd ../..", "string join : $PATH")
	if out != "shim pytest\n"+p.at(own)+":"+p.at("jail/shims")+":"+p.path()+"\n"+p.path()+"\n" || errs != "" {
		t.Errorf("%q %q", out, errs)
	}
	p = newPlace(t)
	p.settings.Names = []string{"npm", "pip"}
	p.program("bin/pip", "real pip")
	_, errs = p.fish(p.dir, "cd proj", "prompt", "prompt", "rm "+p.at("jail/shims/npm"), "prompt", "prompt", "cd ..", "prompt", ":")
	if strings.Count(errs, "without a shim, so not jailed here: pip") != 1 || strings.Count(errs, "commands here are not jailed") != 2 {
		t.Errorf("%q", errs)
	}
}

func TestFishVenv(t *testing.T) {
	p := newPlace(t)
	p.venv()
	activate := "source " + fishQuote(p.at("proj/.venv/bin/activate.fish"))
	out, errs := p.fish(p.at("out"), "cd ../proj; "+activate+"; pip", "cd ../out; pip", "deactivate; pip", "cd ../proj; pip",
		"cd ../out", activate+"; pip", "cd ../proj; pip", "deactivate; pip", "cd ../out; pip", "string join : $PATH")
	if want := "shim venv real shim venv shim shim real"; strings.ReplaceAll(out, " pip\n", " ") != want+" "+p.path()+"\n" || errs != "" {
		t.Errorf("%q %q", out, errs)
	}
}

// A fishSession is an interactive fish on a terminal. What it shows is full of
// escapes, so that a step ends when a file says so.
type fishSession struct {
	*session
	place place
	steps int
}

// fishSession starts fish, by way of another program where argv names one.
func (p place) fishSession(dir, before string, argv ...string) *fishSession {
	p.t.Helper()
	fish := needed.Program(p.t, "fish")
	argv = append(argv, fish, "-N", "-i", "-C",
		"function fish_prompt; echo -n '"+prompt+"'; end; function fish_greeting; end; function fish_title; end; "+before)
	s, _ := p.start(dir, p.env("XDG_CONFIG_HOME="+p.at("home"), "XDG_DATA_HOME="+p.at("home")), argv...)
	return &fishSession{session: s, place: p}
}

// run types a line and waits until it is done and the next prompt has been made.
func (s *fishSession) run(line string) {
	s.t.Helper()
	s.steps++
	done := s.place.at(fmt.Sprintf("done%d", s.steps))
	_ = os.Remove(done) // of an earlier session
	s.send(line + "; echo >" + done)
	deadline := time.Now().Add(time.Minute)
	for _, err := os.Stat(done); err != nil; _, err = os.Stat(done) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%s did not end; there was %q", line, s.seen)
		}
		select { // what is printed meanwhile, or nothing for a while
		case chunk := <-s.chunks:
			s.seen = append(s.seen, chunk...)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// A real terminal: the events come by themselves, and there is a line for people.
func TestFishInteractive(t *testing.T) {
	p := newPlace(t)
	must(t, os.MkdirAll(p.at("proj/.venv/bin"), 0o755))
	s := p.fishSession(p.dir, p.init("fish"))
	run := s.run
	file := func(name string) string {
		text, _ := os.ReadFile(p.at(name))
		return strings.TrimSpace(string(text))
	}
	run("command -s npm >" + p.at("1"))
	run("cd proj; command -s npm >" + p.at("2"))
	run("command -s npm >" + p.at("3"))
	run("cd ..; command -s npm >" + p.at("4"))
	run("mkdir out/.ai-jail; builtin cd out")
	run("rmdir .ai-jail")
	run("command -s npm >" + p.at("5"))
	run("cd ../proj; set PATH $PWD/.venv/bin $PATH")
	run("cd ..")
	shim, real := p.at("jail/shims/npm"), p.at("bin/npm")
	for name, want := range map[string]string{"1": real, "2": shim, "3": shim, "4": real, "5": real} {
		if got := file(name); got != want {
			t.Errorf("step %s: %q, want %q", name, got, want)
		}
	}
	s.send("exit")
	for chunk := range s.chunks {
		s.seen = append(s.seen, chunk...)
	}
	for _, want := range []string{"jail: on (proj)", "jail: off\r\n", "jail: on (out)", "jail: off, with " + p.at("proj/.venv/bin") + " still on PATH"} {
		if !strings.Contains(string(s.seen), want) && !strings.Contains(string(s.seen), strings.ReplaceAll(want, "\r", "")) {
			t.Errorf("%q was not said", want)
		}
	}
}

// On a terminal, where fish has threads that are no processes.
func TestFishStartsNoProcess(t *testing.T) {
	strace := needed.Program(t, "strace")
	p := newPlace(t)
	p.detours()
	log := p.at("strace")
	s := p.fishSession(p.dir, p.init("fish"), strace, "-f", "-o", log, "-e", "trace=clone,clone3,fork,vfork,execve")
	for range 10 {
		s.run(":")
	}
	s.run("cd proj/a")
	s.run("cd ../..; cd in")
	for range 10 {
		s.run(":")
	}
	s.run("cd /")
	if got := calls(t, log); got != 1 {
		t.Errorf("%d calls, where only fish itself should have been started", got)
	}
	s.run("/bin/true") // and so the log would have shown it
	if got := calls(t, log); got != 3 {
		t.Errorf("after a clone and an execve there are %d calls in the log", got)
	}
}

// fish has no clock of its own, so it is the processor time of whole runs that is
// compared, less that of a run without a prompt.
func TestFishCost(t *testing.T) {
	fish := needed.Program(t, "fish")
	p := newPlace(t)
	least := func(n int, dir, line string) time.Duration {
		script := p.init("fish") + "\ncd " + fishQuote(dir) + "\n" + strings.Repeat(line+"\n", n)
		best := time.Hour
		for range 4 {
			cmd := exec.Command(fish, "-N", "-c", script)
			cmd.Env = p.env()
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v %q", err, out)
			}
			best = min(best, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		}
		return best
	}
	start := least(0, p.at("out"), "")
	each := func(n int, dir, line string) int64 { return (least(n, dir, line) - start).Microseconds() / int64(n) }
	outside, inside, command := each(400, p.at("out"), "__jail_prompt"), each(400, p.at("proj"), "__jail_prompt"), each(100, p.at("out"), "set x (/bin/true)")
	p.cheap("fish", 10, fmt.Sprintln(10*outside, 10*inside, command), "", 0)
}
