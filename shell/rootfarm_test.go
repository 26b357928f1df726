package shell

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"jail/internal/textbusy"
)

// Through a link the farm of a root is the one that lies at its path on disk.
func TestRootFarmThroughALink(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		own := "jail/roots" + p.at("proj") + "/shims"
		p.program(own+"/pytest", "shim pytest")
		must(t, os.Symlink(p.at("proj"), p.at("out/back")))
		must(t, os.Symlink(p.at("proj/a"), p.at("in")))
		p.knows("1", "root "+p.at("proj"))
		for _, dir := range []string{"out/back", "out/back/a", "in", "in/b"} {
			out, errs := p.says(d, p.dir, "cd "+dir, "pytest", "path")
			if want := "shim pytest\n" + p.at(own) + ":" + p.at("jail/shims") + ":" + p.path(); out != want || errs != "" {
				t.Errorf("in %s: %q, %q, want %q", dir, out, errs, want)
			}
		}
	})
}

// A directory of PATH in the project that is newer than the root's farm: said once,
// and again only after it was put right.
func TestStaleRootFarm(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		p.program("proj/.venv/bin/pytest", "venv pytest")
		p.program("jail/roots"+p.at("proj")+"/shims/pytest", "shim pytest")
		p.program("proj/bin/old", "old")
		state := p.state("proj/.venv/bin")
		older(t, p.at("proj/.venv/bin"), state)
		path := d.first(p.at("proj/.venv/bin"))
		touch := "touch " + d.word(p.at("proj/.venv/bin"))
		// A second apart: the stamps of many kernels stand still for some milliseconds.
		refresh := "touch -d '1 second ago' " + d.word(state) + "; touch -d '1 hour ago' " + d.word(p.at("proj/.venv/bin"))
		_, errs := p.says(d, p.dir, path, "cd proj", "prompt", "prompt", "pytest", "cd ..", "prompt")
		if errs != "" {
			t.Errorf("all is up to date: %q", errs)
		}
		_, errs = p.says(d, p.dir, path, "cd proj", "prompt", touch, "prompt", "prompt", refresh, "prompt", touch, "prompt", "cd ..", "prompt")
		if strings.Count(errs, ".venv/bin has changed, so programs in it may run without a jail\njail: hint: jail-hook shims refresh\n") != 2 {
			t.Errorf("%q", errs)
		}
		must(t, os.Remove(state))
		_, errs = p.says(d, p.dir, path, "cd proj", "prompt", "prompt")
		if strings.Count(errs, "has changed") != 1 {
			t.Errorf("without a farm: %q", errs)
		}
	})
}

// A directory of PATH in a project that its farm does not know, or that is newer: the
// hook has the farm brought up to date before the prompt is made, once, and says
// nothing; whatever times the directory shows, and outside of the project too.
func TestRenewedRootFarm(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		own := p.at("jail/roots") + p.at("proj") + "/shims"
		venv := p.at("proj/.venv/bin")
		p.program("proj/.venv/bin/git", "planted git")
		p.program("bin/shim git", "shim git")
		p.settings.Hook = p.at("bin/jail-hook")
		text := "#!/bin/sh\necho \"$*\" >>" + p.at("log") + "\nmkdir -p " + own + "\ncp '" + p.at("bin/shim git") + "' " + own + "/git\n" +
			"printf 'jail farm 2\\n\"" + venv + "\"\\n' >" + own + "/.state\n" +
			// In the same tick as a change that follows it would look newer than that.
			"touch -r " + venv + " -d '1 second' " + own + "/.state\n"
		must(t, textbusy.WriteProgram(p.settings.Hook, []byte(text)))
		must(t, os.WriteFile(p.at("now"), nil, 0o600))
		older(t, venv, p.at("now"))
		for _, dir := range []string{"proj", "out"} {
			out, errs := p.says(d, p.at(dir), d.first(venv), "prompt", "git", "prompt", "prompt", "touch "+d.word(venv), "prompt", "prompt", "git")
			if out != "shim git\nshim git" || errs != "" {
				t.Errorf("in %s: %q, %q", dir, out, errs)
			}
			if log, _ := os.ReadFile(p.at("log")); string(log) != "shims refresh\nshims refresh\n" {
				t.Errorf("in %s it was called with %q", dir, log)
			}
			must(t, os.Remove(p.at("log")))
			must(t, os.RemoveAll(own))
			older(t, venv, p.at("now"))
		}
		// It does not help: said once, and not tried again at each prompt.
		must(t, textbusy.WriteProgram(p.settings.Hook, []byte("#!/bin/sh\necho x >>"+p.at("log")+"\n")))
		_, errs := p.says(d, p.at("proj"), d.first(venv), "prompt", "prompt", "prompt")
		if log, _ := os.ReadFile(p.at("log")); string(log) != "x\n" || strings.Count(errs, "has changed") != 1 {
			t.Errorf("%q, %q", log, errs)
		}
	})
}

// A directory becomes a project while its environment is active already: the next
// prompt finds that out, and does not wait for PATH or the list to change.
func TestMarkerAboveAnActiveEnvironment(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		own, venv := p.at("jail/roots")+p.at("late")+"/shims", p.at("late/.venv/bin")
		p.program("late/.venv/bin/git", "planted git")
		p.program("bin/shim git", "shim git")
		p.settings.Hook = p.at("bin/jail-hook")
		text := "#!/bin/sh\nmkdir -p " + own + "\ncp '" + p.at("bin/shim git") + "' " + own + "/git\n" +
			"printf 'jail farm 2\\n\"" + venv + "\"\\n' >" + own + "/.state\n"
		must(t, textbusy.WriteProgram(p.settings.Hook, []byte(text)))
		out, errs := p.says(d, p.at("late"), d.first(venv), "prompt", "git", "mkdir .ai-jail", "prompt", "git", "prompt", "git", "rmdir .ai-jail", "prompt", "git")
		if out != "planted git\nshim git\nshim git\nplanted git" || errs != "" {
			t.Errorf("%q, %q", out, errs)
		}
	})
}

// The farm of a root stays first on PATH as long as a directory of the project is on
// it, wherever one goes; with two projects, that of the nearer root comes first.
func TestFarmOfAnEnvironmentThatIsLeft(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		p := newPlace(t)
		for _, dir := range []string{"proj/.venv/bin", "proj2/.ai-jail", "proj2/bin", "lost/bin", "src/app/bin", "src/bin", "co:lon/.ai-jail"} {
			must(t, os.MkdirAll(p.at(dir), 0o755))
		}
		p.knows("1", "root "+p.at("lost"), "below "+p.at("src"))
		farm := func(root string) string { return p.at("jail/roots") + p.at(root) + "/shims:" }
		venv, plain, users := p.at("proj/.venv/bin"), p.path(), p.at("jail/shims")+":"
		for _, test := range []struct {
			first []string // of PATH, the last one first
			dir   string
			want  string
		}{
			{[]string{"proj/.venv/bin"}, "out", farm("proj") + venv + ":" + plain},
			{[]string{"proj/.venv/bin"}, "proj/a", farm("proj") + users + venv + ":" + plain},
			{[]string{"proj/.venv/bin"}, "proj2", farm("proj2") + farm("proj") + users + venv + ":" + plain},
			{[]string{"proj/.venv/bin", "proj2/bin"}, "proj", farm("proj") + farm("proj2") + users + p.at("proj2/bin") + ":" + venv + ":" + plain},
			{[]string{"proj/.venv/bin", "proj/a"}, "/", farm("proj") + p.at("proj/a") + ":" + venv + ":" + plain},
			{[]string{"lost/bin"}, "out", farm("lost") + p.at("lost/bin") + ":" + plain},
			{[]string{"src/app/bin"}, "out", farm("src/app") + p.at("src/app/bin") + ":" + plain},
			{[]string{"out"}, "out", p.at("out") + ":" + plain},
		} {
			lines := []string{}
			for _, dir := range test.first {
				lines = append(lines, d.first(p.at(dir)))
			}
			out, errs := p.says(d, p.dir, append(lines, "prompt", "cd "+d.word(p.at(test.dir)), "path", "prompt", "prompt", "path")...)
			if test.dir == "/" {
				out, errs = p.says(d, p.dir, append(lines, "prompt", "cd /", "path", "prompt", "prompt", "path")...)
			}
			said := strings.Contains(errs, "jail: ") && !strings.Contains(errs, "has changed")
			if out != test.want+"\n"+test.want || said {
				t.Errorf("%q in %s:\n%q, %q, want\n%q", test.first, test.dir, out, errs, test.want)
			}
		}
		// When it is not active any more the farm goes.
		off := "PATH=" + d.word(p.path())
		if d.name == "fish" {
			off = "set -gx PATH " + d.word(p.path())
		}
		out, _ := p.says(d, p.dir, d.first(venv), "cd proj", "cd ..", off, "prompt", "path")
		if out != p.path() {
			t.Errorf("%q", out)
		}
	})
}

// Where the shims are gone, or cannot be run, no name runs without a jail in a project:
// it says what to type. What finds the farm again runs it, and outside all is as ever.
func TestBarredNames(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		for name, broken := range map[string]string{"moved": "mv %[1]s %[1]s.away", "no mode": "chmod 644 %[1]s/npm"} {
			p := newPlace(t)
			p.settings.Names = []string{"npm", "pip", "uv"}
			p.program("bin/pip", "real pip")
			p.program("jail/shims/pip", "shim pip")
			breaks := fmt.Sprintf(broken, p.at("jail/shims"))
			if name == "no mode" {
				breaks += "; chmod 644 " + p.at("jail/shims/pip")
			}
			status := "echo $?"
			mend := map[string]string{"moved": fmt.Sprintf("mv %[1]s.away %[1]s", p.at("jail/shims")), "no mode": "chmod 755 " + p.at("jail/shims") + "/*"}[name]
			own := "pip() { echo mine; }"
			if d.name == "fish" {
				status, own = "echo $status", "function pip; echo mine; end"
			}
			out, errs := p.says(d, p.dir, "cd proj", "npm", breaks, "prompt", "npm", status, "cd ..", "npm", "cd proj", mend, "npm a", "pip", p.uninit(d.name), "npm")
			if want := "shim npm\n126\nreal npm\nshim npm\nshim pip\nreal npm"; out != want {
				t.Errorf("%s: %q, want %q", name, out, want)
			}
			if strings.Count(errs, "jail: npm is not run without a jail, and the shims in ") != 1 || !strings.Contains(errs, "cannot be run\njail: hint: "+map[string]string{
				"bash": `eval "$(jail-hook init bash)"`, "zsh": `eval "$(jail-hook init zsh)"`, "fish": "jail-hook init fish | source",
			}[d.name]) {
				t.Errorf("%s: %q", name, errs)
			}
			if out, errs := p.says(d, p.dir, breaks, "cd proj; npm; "+status); out != "126" || !strings.Contains(errs, "jail: npm is not run") {
				t.Errorf("%s, on one line: %q %q", name, out, errs)
			}
			if out, _ := p.says(d, p.at("proj"), own, breaks, "prompt", "pip", p.uninit(d.name), "pip"); out != "mine\nmine" {
				t.Errorf("%s: a function of the user's: %q", name, out)
			}
		}
	})
}

// older makes a file or directory older than another.
func older(t *testing.T, path, than string) {
	t.Helper()
	info, err := os.Stat(than)
	must(t, err)
	then := info.ModTime().Add(-3600e9)
	must(t, os.Chtimes(path, then, then))
}
