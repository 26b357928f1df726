package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jail/internal/needed"
	"jail/internal/shim"
	"jail/shell"
)

func TestInitInTheShells(t *testing.T) {
	i := newInstall(t)
	for name, argv := range map[string][]string{
		"bash": {"bash", "--norc", "-c", `eval "$("$H" init bash)"; "$@"`},
		"zsh":  {"zsh", "-fc", `eval "$("$H" init zsh)"; "$@"`},
		"fish": {"fish", "-N", "-c", `$H init fish | source; $argv`},
	} {
		t.Run(name, func(t *testing.T) {
			path := needed.Program(t, name)
			in, out := "cd "+i.at("proj/a"), "cd "+i.at("out")
			argv := append([]string{path}, argv[1:]...)
			argv[len(argv)-1] = strings.NewReplacer(`"$@"`, in+"; npm; "+out+"; npm", `$argv`, in+"; npm; "+out+"; npm").Replace(argv[len(argv)-1])
			got, errs, status := i.run(i.dir, i.env("H="+i.at("opt/jail-hook")), argv...)
			if got != "jailed npm\nreal npm\n" || errs != "" || status != 0 {
				t.Errorf("%q %q %d", got, errs, status)
			}
		})
	}
}

func TestInitPrintsCodeAndNothingElse(t *testing.T) {
	i := newInstall(t)
	for _, name := range shell.Shells() {
		first, errs, status := i.hook(i.dir, "init", name)
		if errs != "" || status != 0 || !strings.HasPrefix(first, "# jail-hook ") {
			t.Errorf("%s: %q %d", name, errs, status)
		}
		if second, _, _ := i.hook(i.dir, "init", name); second != first {
			t.Errorf("%s: twice the same call, and other bytes", name)
		}
		if code, errs, status := i.hook(i.dir, "uninit", name); code == "" || code == first || errs != "" || status != 0 {
			t.Errorf("uninit %s: %q %d", name, errs, status)
		}
	}
	if names := shim.Shims(i.farm()); strings.Join(names, " ") != "npm python3" {
		t.Errorf("the farm holds %v", names)
	}
	plain, _, _ := i.hook(i.dir, "init", "bash")
	for _, args := range [][]string{{"init", "--always", "bash"}, {"init", "bash", "--always"}, {"init", "--always", "--", "bash"}} {
		code, errs, status := i.hook(i.dir, args...)
		if code != strings.Replace(plain, "__jail_always=''", "__jail_always=1", 1) || errs != "" || status != 0 {
			t.Errorf("%q: %q %d", args, errs, status)
		}
	}
	if code, _, _ := i.hook(i.dir, "init", "bash", "--no-cd"); code != strings.Replace(plain, "__jail_cd=1", "__jail_cd=''", 1) {
		t.Error("--no-cd was not understood behind the shell's name")
	}
}

// An upgrade takes the directory of one version away, and leaves the link on PATH.
func TestInitKnowsItselfByThePathOfPATH(t *testing.T) {
	i := newInstall(t)
	must(t, os.Symlink(i.at("opt/jail-hook"), i.at("bin/jail-hook")))
	code, _, _ := i.run(i.dir, i.env(), i.at("bin/jail-hook"), "init", "bash")
	if !strings.Contains(code, " __jail_hook='"+i.at("bin/jail-hook")+"' ") {
		t.Errorf("%.600s", code)
	}
	// Another program of that name is not this one.
	must(t, os.Remove(i.at("bin/jail-hook")))
	i.program("bin/jail-hook", "echo another")
	code, _, _ = i.hook(i.dir, "init", "bash")
	if !strings.Contains(code, " __jail_hook='"+i.at("opt/jail-hook")+"' ") {
		t.Errorf("%.600s", code)
	}
}

// What a shell is to evaluate is empty where the words make no sense.
func TestUsageErrors(t *testing.T) {
	i := newInstall(t)
	for _, args := range [][]string{
		{},
		{"nope"},
		{"init"},
		{"init", "tcsh"},
		{"init", "bash", "zsh"},
		{"init", "bash", "--nope"},
		{"init", "--always=maybe", "bash"},
		{"init", ""},
		{"uninit"},
		{"uninit", "sh"},
		{"shims", "nope"},
		{"shims", "refresh", "x"},
		{"which"},
		{"which", "a", "b"},
		{"status", "x"},
		{"--nope"},
		{"help", "x", "y"},
	} {
		out, errs, status := i.hook(i.dir, args...)
		if out != "" || status != statusUsage || !strings.HasPrefix(errs, "jail: ") || !strings.Contains(errs, "\njail: hint: ") {
			t.Errorf("%q: %q %q %d", args, out, errs, status)
		}
	}
	if out, errs, status := i.hook(i.dir, "--help"); !strings.Contains(out, "init") || errs != "" || status != 0 {
		t.Errorf("--help: %q %q %d", out, errs, status)
	}
	if out, errs, status := i.hook(i.dir, "--version"); !strings.HasPrefix(out, "jail-hook ") || strings.Count(out, "\n") != 1 || errs != "" || status != 0 {
		t.Errorf("--version: %q %q %d", out, errs, status)
	}
	if out, errs, status := i.hook(i.dir, "init", "--help"); !strings.Contains(out, "--always") || errs != "" || status != 0 {
		t.Errorf("init --help: %q %q %d", out, errs, status)
	}
}

// Without a farm the hook is printed all the same, and says so where it matters.
func TestInitWithoutALauncher(t *testing.T) {
	i := newInstall(t)
	must(t, os.Remove(i.at("opt/jail")))
	code, errs, status := i.hook(i.dir, "init", "bash")
	if status != statusFailed || !strings.HasPrefix(errs, "jail: install shims: read launcher: ") || !strings.HasPrefix(code, "# jail-hook ") {
		t.Errorf("%q %d", errs, status)
	}
	out, errs, _ := i.run(i.dir, i.env("H="+i.at("opt/jail-hook")), "/bin/bash", "--norc", "-c",
		`eval "$("$H" init bash 2>/dev/null)"; cd proj; npm; eval "$PROMPT_COMMAND"; cd ..; eval "$PROMPT_COMMAND"; npm`)
	if out != "real npm\n" || strings.Count(errs, "npm is not run without a jail") != 1 || strings.Count(errs, "commands here are not jailed") != 1 {
		t.Errorf("%q %q", out, errs)
	}
}

func TestInitWithAFarmThatCannotBe(t *testing.T) {
	i := newInstall(t)
	must(t, os.MkdirAll(i.at("data/jail"), 0o700))
	must(t, os.Symlink(i.at("proj"), i.farm()))
	code, errs, status := i.hook(i.dir, "init", "bash")
	if status != statusFailed || !strings.Contains(errs, "is not a directory") || code == "" {
		t.Errorf("%q %d", errs, status)
	}
	env := append(i.env()[:2], "XDG_DATA_HOME="+i.at("a:b"))
	if out, errs, status := i.run(i.dir, env, i.at("opt/jail-hook"), "init", "bash"); out != "" || status != statusFailed || !strings.Contains(errs, "colon") {
		t.Errorf("%q %q %d", out, errs, status)
	}
}

// A variable that leads jail's own directory into a project, or around one, must
// not switch the jail off: the shims go where they would be without it.
func TestDataDirectoryInAProject(t *testing.T) {
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, dir := range []string{"home/proj/.ai-jail", "home/proj/deep", "home/outer/jail/inner/.ai-jail", "elsewhere"} {
		must(t, os.MkdirAll(filepath.Join(tmp, dir), 0o755))
	}
	must(t, os.Symlink(filepath.Join(tmp, "home/proj"), filepath.Join(tmp, "link")))
	usual := filepath.Join(tmp, "home/.local/share/jail")
	for _, test := range []struct {
		cwd, xdg, config string
		dir              string // empty: the usual one, and a complaint
		complains        bool
	}{
		{cwd: "elsewhere", dir: "home/.local/share/jail"},
		{cwd: "elsewhere", xdg: "elsewhere", dir: "elsewhere/jail"},
		{cwd: "home/proj", xdg: "elsewhere", dir: "elsewhere/jail"},
		{cwd: "home/proj", xdg: "home/proj", complains: true},
		{cwd: "elsewhere", xdg: "home/proj", complains: true},
		{cwd: "elsewhere", xdg: "home/proj/not/yet", complains: true},
		{cwd: "elsewhere", xdg: "link/deep", complains: true},
		{cwd: "home/outer/jail/inner", xdg: "home/outer", complains: true}, // contains the project that one is in
		{cwd: "home/proj", xdg: "elsewhere", config: "home/proj/config", dir: "elsewhere/jail", complains: true},
	} {
		t.Chdir(filepath.Join(tmp, test.cwd))
		absolute := func(path string) string {
			if path == "" {
				return ""
			}
			return filepath.Join(tmp, path)
		}
		u := newUser([]string{"XDG_DATA_HOME=" + absolute(test.xdg), "XDG_CONFIG_HOME=" + absolute(test.config)}, nil, nil)
		u.home = filepath.Join(tmp, "home")
		u.homes = []string{u.home}
		dir, problem := u.safeDataDir()
		want := usual
		if test.dir != "" {
			want = absolute(test.dir)
		}
		var unsafe *shim.UnsafeError
		if dir != want || errors.As(problem, &unsafe) != test.complains || test.complains && unsafe.Hint == "" {
			t.Errorf("in %s with %q: %s, %v", test.cwd, test.xdg, dir, problem)
		}
	}
}

func TestWhich(t *testing.T) {
	i := newInstall(t)
	i.hook(i.dir, "init", "bash")
	must(t, os.WriteFile(i.at("bin/pip"), nil, 0o644))
	must(t, os.Symlink(i.farm(), i.at("link")))
	env := append([]string{"PATH=" + strings.Join([]string{i.at("link"), i.farm() + "/", i.at("bin")}, ":")}, i.env()[1:]...)
	for _, test := range []struct {
		name, out string
		status    int
	}{
		{"npm", i.at("bin/npm") + "\n", 0},
		{"bash", i.at("bin/bash") + "\n", 0},
		{"cargo", "", statusNotFound},
		{"pip", "", statusNotExecutable},
	} {
		out, errs, status := i.run(i.at("proj"), env, i.at("opt/jail-hook"), "which", test.name)
		if out != test.out || status != test.status || (errs == "") != (status == 0) {
			t.Errorf("%s: %q %q %d", test.name, out, errs, status)
		}
	}
}

func TestShims(t *testing.T) {
	i := newInstall(t)
	out, errs, status := i.hook(i.at("out"), "shims", "refresh")
	if out != "added npm\nadded python3\n" || errs != "" || status != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
	if out, errs, status := i.hook(i.at("out"), "shims", "refresh"); out+errs != "" || status != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
	if out, _, _ := i.hook(i.at("out"), "shims"); out != "npm\t"+i.at("bin/npm")+"\npython3\t"+i.at("bin/python3")+"\n" {
		t.Errorf("%q", out)
	}
	// With a virtual environment on PATH, in its project: what is in it, too.
	i.program("proj/.venv/bin/pip", "echo pip of the venv")
	i.program("proj/.venv/bin/pytest", "echo pytest of the venv")
	env := append([]string{"PATH=" + i.at("proj/.venv/bin") + ":" + i.at("bin")}, i.env()[1:]...)
	out, errs, status = i.run(i.at("proj"), env, i.at("opt/jail-hook"), "shims", "refresh")
	if out != "added pip\nadded pip\nadded pytest\n" || errs != "" || status != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
	out, _, _ = i.run(i.at("proj"), env, i.at("opt/jail-hook"), "shims")
	if !strings.Contains(out, "pytest\t"+i.at("proj/.venv/bin/pytest")+"\n") {
		t.Errorf("%q", out)
	}
	out, errs, _ = i.run(i.at("out"), append(env, "H="+i.at("opt/jail-hook")), "/bin/bash", "--norc", "-c",
		`eval "$("$H" init bash)"; cd ../proj; pytest; pip; cd ../out; pip`)
	// Outside as well, as long as the environment is active.
	if out != "jailed pytest\njailed pip\njailed pip\n" || errs != "" {
		t.Errorf("%q %q", out, errs)
	}
}

// The user's own configuration names further programs.
func TestShimsOfTheConfiguration(t *testing.T) {
	i := newInstall(t)
	i.program("bin/terraform", "echo real terraform")
	must(t, os.MkdirAll(i.at("config/jail"), 0o700))
	must(t, os.WriteFile(i.at("config/jail/config.toml"), []byte("shims = [\"terraform\"]\n"), 0o600))
	if _, errs, status := i.hook(i.dir, "init", "bash"); errs != "" || status != 0 {
		t.Errorf("%q %d", errs, status)
	}
	if names := shim.Shims(i.farm()); strings.Join(names, " ") != "npm python3 terraform" {
		t.Errorf("%v", names)
	}
	// One that is broken takes nothing away.
	must(t, os.WriteFile(i.at("config/jail/config.toml"), []byte("shimz = 1\n"), 0o600))
	code, errs, status := i.hook(i.dir, "init", "bash")
	if !strings.Contains(errs, "shimz") || status != statusFailed || !strings.HasPrefix(code, "# jail-hook") {
		t.Errorf("%q %d", errs, status)
	}
	if names := shim.Shims(i.farm()); strings.Join(names, " ") != "npm python3 terraform" {
		t.Errorf("%v", names)
	}
	must(t, os.Remove(i.at("config/jail/config.toml")))
	i.hook(i.dir, "init", "bash")
	if names := shim.Shims(i.farm()); strings.Join(names, " ") != "npm python3" {
		t.Errorf("%v", names)
	}
}

// jail-hook starts no program: rust-toolchain.toml and its like would run the
// project's code.
func TestStartsNoProgram(t *testing.T) {
	strace := needed.Program(t, "strace")
	i := newInstall(t)
	for _, args := range [][]string{{"init", "bash"}, {"uninit", "zsh"}, {"shims"}, {"shims", "refresh"}, {"which", "npm"}, {"status"}, {"status", "--json"}, {"prompt"}, {"forget"}, {"trust", "--show"}, {"untrust"}, {"doctor"}, {"doctor", "--names"}, {"cache"}, {"cache", "clear"}, {"import", "--show"}, {"new"}} {
		log := i.at("strace")
		i.run(i.at("proj"), i.env(), append([]string{strace, "-f", "-o", log, "-e", "trace=execve,execveat", i.at("opt/jail-hook")}, args...)...)
		text, err := os.ReadFile(log)
		must(t, err)
		if n := bytes.Count(text, []byte("execve")); n != 1 {
			t.Errorf("%q: %d programs were started:\n%s", args, n, text)
		}
	}
}

// A name with control characters forges no line.
func TestWordsStayOnOneLine(t *testing.T) {
	i := newInstall(t)
	dir := i.at("odd\nroot   /forged\x1b[31m")
	must(t, os.MkdirAll(filepath.Join(dir, ".ai-jail"), 0o755))
	out, errs, status := i.hook(dir, "status")
	if status != 0 || strings.Contains(out+errs, "\x1b") || strings.Count(out, "\nroot ") != 0 {
		t.Errorf("%q %q %d", out, errs, status)
	}
	if _, errs, _ := i.hook(dir, "which", "a\nb"); strings.Count(errs, "\n") != 1 {
		t.Errorf("%q", errs)
	}
}

func TestArrange(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"x", "x"},
		{"x --help", "x --help"},
		{"x init", "x init"},
		{"x init bash", "x init -- bash"},
		{"x init bash --always", "x init --always -- bash"},
		{"x init --always bash --no-cd", "x init --always --no-cd -- bash"},
		{"x which -- --help", "x which -- --help"},
		{"x which a -- -b --", "x which -- a -b --"},
		{"x which -", "x which -- -"},
		{"x trust --yes-hash --show dir", "x trust --yes-hash --show -- dir"},
		{"x trust dir --yes-hash sum", "x trust --yes-hash sum -- dir"},
		{"x prompt --format {name}", "x prompt --format {name} --"},
		{"x which --yes-hash a", "x which --yes-hash -- a"},
		{"x bypass npm --help", "x bypass -- npm --help"},
		{"x bypass -- npm -- --help", "x bypass -- npm -- --help"},
		{"x bypass --help", "x bypass --help"},
	} {
		if got := strings.Join(arrange(strings.Fields(test.in), newUser(nil, nil, nil).verbs()), " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.in, got, test.want)
		}
	}
}
