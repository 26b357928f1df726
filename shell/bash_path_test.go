package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A marker in the root directory of the file system, and one in a home: the shim
// refuses them, and must be asked.
func TestBashHomeIsNotPassedOver(t *testing.T) {
	p := newPlace(t)
	must(t, os.MkdirAll(p.at("home/.ai-jail"), 0o755))
	must(t, os.MkdirAll(p.at("home/src"), 0o755))
	s := p.hooked(p.at("home/src"))
	s.inside(p, true)
	s.run("HOME=" + p.at("out"))
	s.inside(p, true)
	s.run("cd; HOME=" + p.at("proj") + "; cd")
	s.inside(p, true)
}

// Of PATH, our entries are put first or taken out; all the rest stays, byte for
// byte and in its order (direnv#1112, mise#10264, mise#8168, vscode#63046).
func TestBashPathSurgery(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	farm := p.at("jail/shims")
	show := `; printf '%s\n' "$PATH"`
	for _, path := range []string{
		"/a:/b", "/b:/a", "/a", ":/a", "/a:", ":", "::", "/a::/b", "", "/a/:/a//b:~/c:./d:.", "/a b:/c'd:/e\"f", "/a:/a:/a", "/x/jail/shims:/y",
		farm + "2:/a", "/a" + farm, farm + "/sub:/b", "/a:" + p.at("jail/roots2/x"), `/back\slash:/*:/[a]`,
	} {
		s.run("builtin cd " + p.dir)
		want := p.farms()
		if path != "" {
			want += ":" + path
		}
		s.run("PATH=" + quote(path))
		s.shows("builtin printf '%s\\n' \"$PATH\"", path)
		s.shows("cd proj"+show, want)
		s.shows(show[2:], want)
		s.shows("cd .."+show, path)
		// Wherever the farm is put, however often.
		for _, mixed := range []string{path + ":" + farm, farm + ":" + path, farm + ":" + farm + ":" + path + ":" + farm, farm + ":" + path + ":" + p.at("jail/roots/x/shims") + ":" + farm} {
			if path == "" {
				break
			}
			s.run("cd proj; PATH=" + quote(mixed))
			s.shows(show[2:], want)
			s.run("cd ..; PATH=" + quote(mixed))
			s.shows(show[2:], path)
		}
	}
	s.run("PATH=" + quote(p.path()) + "; cd proj; PATH=/x:$PATH")
	s.shows("cd .."+show, "/x:"+p.path())
	s.run("cd proj; PATH=/usr/bin:/bin:" + farm)
	s.shows(show[2:], p.farms()+":/usr/bin:/bin")
	s.run("cd ..; unset PATH")
	s.shows(`builtin printf '%s\n' "${PATH-unset}"`, "unset")
}

// PATH stays exported, or not, and what the shell remembers of it is renewed.
func TestBashHashTable(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	s.says("npm", "real npm")
	s.run("cd proj")
	s.says("npm", "shim npm")
	s.run("cd ..")
	s.says("npm", "real npm")
	s.says("cd proj && env npm", "shim npm\njail: on (proj)")
	s.says("ls / >/dev/null; hash -t ls >/dev/null && echo kept", "kept") // not emptied at each prompt
	s.says("hash -t ls >/dev/null && echo kept", "kept")
}

func TestBashReadonlyPath(t *testing.T) {
	p := newPlace(t)
	s := p.hooked(p.dir)
	s.run("readonly PATH")
	out := s.run("cd proj; echo still here")
	if !strings.Contains(out, "still here") || !strings.Contains(out, "not jailed") {
		t.Errorf("%q", out)
	}
	s.says("cd ..; echo still here", "still here\njail: off")
}

// The farm cannot be run: said at every prompt in a project, and only there.
func TestBashBrokenFarm(t *testing.T) {
	for name, breakIt := range map[string]func(p place){
		"gone":           func(p place) { must(p.t, os.RemoveAll(p.at("jail/shims"))) },
		"shim gone":      func(p place) { must(p.t, os.Remove(p.at("jail/shims/npm"))) },
		"not executable": func(p place) { must(p.t, os.Chmod(p.at("jail/shims/npm"), 0o644)) },
		"dangling": func(p place) {
			must(p.t, os.Remove(p.at("jail/shims/npm")))
			must(p.t, os.Symlink("nowhere", p.at("jail/shims/npm")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			s := p.hooked(p.dir)
			s.says("cd proj", "jail: on (proj)")
			breakIt(p)
			for range 3 {
				if out := s.run(":"); !strings.Contains(out, "commands here are not jailed") || strings.Count(out, "\n") != 2 ||
					!strings.Contains(out, `jail: hint: eval "$(jail-hook init bash)"`) {
					t.Errorf("the prompt said %q", out)
				}
			}
			s.run("cd ..")
			s.silent("")
		})
	}
}

// A program that the farm has no shim for: said when it may have become so.
func TestBashNameWithoutShim(t *testing.T) {
	p := newPlace(t)
	p.settings.Names = []string{"npm", "pip", "uv"}
	p.program("proj/.venv/bin/pip", "pip of the venv")
	p.state("proj/.venv/bin")
	s := p.hooked(p.dir)
	s.silent("PATH=$PWD/proj/.venv/bin:$PATH") // outside of projects nobody cares
	out := s.run("cd proj")
	if !strings.HasPrefix(out, "jail: without a shim, so not jailed here: pip\njail: hint: ") {
		t.Errorf("the prompt said %q", out)
	}
	s.silent("")
	s.silent("cd a")
	p.program("jail/shims/pip", "shim pip")
	s.silent("PATH=$PATH:/x")
	s.run("hash -r")
	s.says("pip", "shim pip")
}

// state makes the farm of the project proj know a directory of PATH in it.
func (p place) state(dir string) string {
	p.t.Helper()
	file := p.at("jail/roots" + p.at("proj") + "/shims/.state")
	must(p.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(p.t, os.WriteFile(file, []byte("jail farm 2\n\""+p.at(dir)+"\"\n"), 0o600))
	return file
}

// A root's own farm is put before the user's, for that root alone.
func TestBashRootFarm(t *testing.T) {
	p := newPlace(t)
	own := p.at("jail/roots") + p.at("proj") + "/shims"
	p.program("jail/roots"+p.at("proj")+"/shims/pytest", "shim pytest")
	must(t, os.MkdirAll(p.at("proj2/.ai-jail"), 0o755))
	s := p.hooked(p.dir)
	s.says(`cd proj/a; echo "$PATH"; pytest`, own+":"+p.at("jail/shims")+":"+p.path()+"\nshim pytest\njail: on (proj)")
	s.says(`cd ../../proj2; echo "$PATH"`, p.at("jail/roots")+p.at("proj2")+"/shims:"+p.at("jail/shims")+":"+p.path()+"\njail: on (proj2)")
	s.says(`cd ../proj; cd ..; echo "$PATH"`, p.path()+"\njail: off")
	// An entry of PATH cannot hold a colon.
	p.program("jail/roots"+p.at("co:lon")+"/shims/pytest", "shim pytest")
	must(t, os.MkdirAll(p.at("co:lon/.ai-jail"), 0o755))
	s.says(`cd co:lon; echo "$PATH"; cd ..`, p.at("jail/shims")+":"+p.path())
	s.run("cd proj; " + p.uninit("bash"))
	s.says(`echo "$PATH"`, p.path())
}

func TestBashAlways(t *testing.T) {
	p := newPlace(t)
	p.settings.Always = true
	s := p.hooked(p.dir)
	s.inside(p, true)
	s.says("cd proj", "jail: on (proj)")
	s.says("cd ..", "jail: off")
	s.inside(p, true)
	s.run("PATH=" + p.path())
	s.inside(p, true)
	out, errs, _ := p.script("/", "bash", "-c", p.init("bash")+"; npm; env PATH=\"$PATH\" sh -c npm; printf %s \"$PATH\"")
	if out != "shim npm\nshim npm\n"+p.at("jail/shims")+":"+p.path() || errs != "" {
		t.Errorf("%q %q", out, errs)
	}
}

// Shells in the shell: PATH is inherited, and nothing else counts.
func TestBashNestedShells(t *testing.T) {
	p := newPlace(t)
	init := p.init("bash")
	count := `; n=:$PATH:; n=${n//[^:]/}; printf '%s\n' "$PATH"`
	s := p.hooked(p.at("proj"))
	s.says(`bash --norc -c `+quote(init+count), p.farms()+":"+p.path())
	s.says(`bash --norc -c `+quote("cd ..; "+init+count), p.path())
	s.says(`bash --norc -c 'cd ..; npm'`, "shim npm") // no hook; that shim decides for itself
	s.says(`export PROMPT_COMMAND; bash --norc -ic : 2>&1 </dev/null | grep __jail`, "")
	s.run("set -a; " + init + "; set +a")
	s.says(`env -u PROMPT_COMMAND bash --norc -c 'cd ..; npm'`, "real npm")
	// A login shell whose profile sets PATH anew (tmux#470, direnv#106).
	must(t, os.WriteFile(p.at("home/.bash_profile"), []byte("PATH="+p.path()+"\n"+init+"\n"), 0o644))
	s.says(`HOME=`+p.at("home")+` bash -lc `+quote(`echo "$PATH"`), p.farms()+":"+p.path())
	s.run("PATH=" + p.path())
	s.inside(p, true)
	// Exported functions and all: the child works it out for itself.
	s.says("exec env PS1='"+prompt+"' PATH="+p.path()+" bash --norc --noprofile --noediting -i", "")
	s.inside(p, true)
	s.run("cd ..")
	s.inside(p, false)
}
