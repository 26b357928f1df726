package doctor

import (
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// healthy are the facts of a machine on which nothing is wrong and nothing is worth
// a word.
func healthy() Facts {
	return Facts{
		Shell:   "bash",
		Startup: []File{{Path: "/h/.bashrc", Exists: true, Text: "alias ll='ls -l'\n" + initCode("bash") + "\n"}},
		Login:   []File{{Path: "/h/.bash_profile"}, {Path: "/h/.profile", Exists: true, Text: ". ~/.bashrc\n"}},
		Path:    "/h/shims:/usr/bin:/bin",
		Farm:    Farm{Dir: "/h/shims", Exists: true, OnPath: true, First: true},
		Names:   []Name{{"npm", "/h/shims/npm", true}, {"pip", "/h/shims/pip", true}},
		Project: &Project{Root: "/h/proj"},
		Kernel:  plan.Kernel{Release: "6.12", LandlockABI: 6, Seccomp: true, MountAPI: true, Openat2: true, CloseRange: true, CgroupNS: true},
		Host:    Host{MaxUserNS: 100, UnprivUserNS: -1},
	}
}

func TestNothingIsWrong(t *testing.T) {
	if found := Examine(healthy()); len(found) != 0 || Sick(found) {
		t.Errorf("%+v", found)
	}
	for _, shell := range []string{"zsh", "fish", ""} {
		f := healthy()
		f.Shell = shell
		f.Startup[0].Text = initCode(shell) + "\n"
		if found := Examine(f); len(found) != 0 {
			t.Errorf("%q: %+v", shell, found)
		}
	}
}

// Each fact, lowered by itself, is one finding with a line to paste.
func TestEachFact(t *testing.T) {
	rc := func(text string) func(*Facts) { return func(f *Facts) { f.Startup[0].Text = text } }
	in := initCode("bash") + "\n"
	for _, test := range []struct {
		id    string
		level Level
		lower func(*Facts)
	}{
		{"hook-missing", Wrong, rc("")},
		{"hook-missing", Wrong, rc("# " + in)},
		{"hook-missing", Wrong, func(f *Facts) { f.Shell, f.Startup = "zsh", []File{{Path: "/h/.zshrc"}} }},
		{"hook-overruled", Wrong, rc(in + "PROMPT_COMMAND=x\n")},
		{"hook-overruled", Wrong, rc(in + "  export PROMPT_COMMAND='x'\n")},
		{"hook-overruled", Wrong, rc(in + "unset PROMPT_COMMAND\n")},
		{"hook-overruled", Wrong, func(f *Facts) {
			f.Shell, f.Startup = "zsh", []File{{Path: "/h/.zshrc", Text: initCode("zsh") + "\nprecmd_functions=(x)\n"}}
		}},
		{"hook-not-last", Note, rc(in + `eval "$(direnv hook bash)"` + "\n")},
		{"hook-not-last", Note, rc(in + "export PATH=/x:$PATH\n")},
		{"hook-not-last", Note, rc(in + "cd() { builtin cd \"$@\"; }\n")},
		{"hook-idle", Wrong, func(f *Facts) { f.Farm.First = false }},
		{"login-bare", Wrong, func(f *Facts) { f.Login[0] = File{"/h/.bash_profile", true, "umask 022\n"} }},
		{"login-bare", Wrong, func(f *Facts) { f.Login = f.Login[:1] }},
		{"login-path", Note, func(f *Facts) {
			f.Profile = File{"/etc/profile", true, "if x; then\n  PATH=\"/usr/bin:/bin\"\nfi\nexport PATH\n"}
		}},
		{"path-relative", Wrong, func(f *Facts) { f.Path = "/h/shims:.:/bin" }},
		{"path-relative", Wrong, func(f *Facts) { f.Path = "/h/shims::/bin" }},
		{"path-relative", Wrong, func(f *Facts) { f.Path = "/h/shims:./node_modules/.bin" }},
		{"path-spelling", Note, func(f *Facts) { f.Farm.Spelling = []string{"/h//shims"} }},
		{"sudo-path", Note, func(f *Facts) { f.Sudo = true }},
		{"sudo-path", Note, func(f *Facts) { f.Sudo, f.Sudoers = true, File{"", true, "Defaults secure_path=\"/bin\"\n"} }},
		{"name-before", Wrong, func(f *Facts) { f.Names[0] = Name{"npm", "/h/venv/npm", false} }},
		{"name-bare", Wrong, func(f *Facts) { f.Uncovered = []string{"uv"} }},
		{"name-alias", Wrong, func(f *Facts) { f.Words = []Word{{Alias, "npm", "/usr/bin/npm --x"}} }},
		{"name-alias", Wrong, func(f *Facts) { f.Words = []Word{{Alias, "npm", "A=1 nocorrect npm"}} }},
		{"name-function", Note, func(f *Facts) { f.Words = []Word{{Function, "npm", "npm ()\n{\n command npm"}} }},
		{"name-function", Wrong, func(f *Facts) { f.Words = []Word{{Function, "npm", "npm ()\n{\n /usr/bin/npm"}} }},
		{"name-hash", Wrong, func(f *Facts) { f.Words = []Word{{Hash, "npm", "/usr/bin/npm"}} }},
		{"kernel-mounts", Wrong, func(f *Facts) { f.Kernel.MountAPI = false }},
		{"kernel-seccomp", Wrong, func(f *Facts) { f.Kernel.Seccomp = false }},
		{"kernel-landlock", Note, func(f *Facts) { f.Kernel.LandlockABI = 0 }},
		{"kernel-landlock", Note, func(f *Facts) { f.Kernel.LandlockABI = 1 }},
		{"kernel-landlock", Note, func(f *Facts) { f.Kernel.LandlockABI = 5 }},
		{"kernel-openat2", Note, func(f *Facts) { f.Kernel.Openat2 = false }},
		{"kernel-close-range", Note, func(f *Facts) { f.Kernel.CloseRange = false }},
		{"kernel-cgroup", Note, func(f *Facts) { f.Kernel.CgroupNS = false }},
		{"userns-off", Wrong, func(f *Facts) { f.Host.MaxUserNS = 0 }},
		{"userns-root", Wrong, func(f *Facts) { f.Host.UnprivUserNS = 0 }},
		{"apparmor-jail", Wrong, func(f *Facts) { f.Host.AppArmor, f.Host.ProfileShims = true, true }},
		{"apparmor-shims", Wrong, func(f *Facts) { f.Host.AppArmor, f.Host.ProfileJail = true, true }},
		{"proc-covered", Wrong, func(f *Facts) { f.Host.CoveredProc = []string{"/proc/kcore"} }},
		{"wsl", Note, func(f *Facts) { f.Host.WSL = true }},
		{"agent-prompt", Wrong, func(f *Facts) { f.Agents = []string{"CLAUDECODE"} }},
		{"marker-file", Note, func(f *Facts) { f.Files = []string{"/h/proj/.ai-jail"} }},
		{"marker-ignored", Note, func(f *Facts) { f.Project.Markers = []Marker{{"/h/proj", "everybody may write to it", true}} }},
		{"untrusted", Note, func(f *Facts) { f.Project.Asks = []string{"reach the network"} }},
		{"slow-fs", Note, func(f *Facts) { f.Project.FS, f.Project.LookCost = "9p", 300 }},
		{"root-lost", Note, func(f *Facts) { f.Gone = []string{"/h/old"} }},
		{"below-stale", Wrong, func(f *Facts) { f.Stale = true }},
		{"farm-missing", Wrong, func(f *Facts) { f.Farm.Exists = false }},
		{"farm-noexec", Wrong, func(f *Facts) { f.Farm.NoExec = true }},
		{"farm-broken", Wrong, func(f *Facts) { f.Farm.Faults = []string{`"npm" is a link`} }},
		{"farm-old", Wrong, func(f *Facts) { f.Farm.Old = true }},
		{"other-tool", Note, func(f *Facts) { f.Other = Other{"/h/.ai-jail", []string{"rw_maps"}} }},
		{"models-missing", Note, func(f *Facts) { f.Models = []string{"/h/.cache/torch"} }},
		{"config-broken", Wrong, func(f *Facts) { f.Problems = []Problem{{"config-broken", "x", "y"}} }},
		{"refused", Wrong, func(f *Facts) { f.Refused = &Problem{"refused", "x", "y"} }},
	} {
		f := healthy()
		test.lower(&f)
		found := Examine(f)
		if len(found) != 1 || found[0].ID != test.id || found[0].Level != test.level || found[0].Fix == "" || found[0].Text == "" {
			t.Errorf("%s: %+v", test.id, found)
		}
		if Sick(found) != (test.level == Wrong) {
			t.Errorf("%s: sick %t", test.id, Sick(found))
		}
	}
}

// What is as it should be, though it looks like something.
func TestNoFinding(t *testing.T) {
	in := initCode("bash") + "\n"
	for name, change := range map[string]func(*Facts){
		"appended":         func(f *Facts) { f.Startup[0].Text = in + "PROMPT_COMMAND=\"$PROMPT_COMMAND; x\"\n" },
		"a comment":        func(f *Facts) { f.Startup[0].Text = in + "# PROMPT_COMMAND=x\n" },
		"before it":        func(f *Facts) { f.Startup[0].Text = "PROMPT_COMMAND=x\nexport PATH=/x\n" + in },
		"sourced":          func(f *Facts) { f.Startup[0].Text = ""; f.Startup = append(f.Startup, File{"/h/.mine", true, in}) },
		"in the profile":   func(f *Facts) { f.Login[0] = File{"/h/.bash_profile", true, in} },
		"PATH is kept":     func(f *Facts) { f.Profile = File{"", true, "PATH=/opt/bin:$PATH\nexport PATH\n"} },
		"no secure_path":   func(f *Facts) { f.Sudo, f.Sudoers = true, File{"", true, "root ALL=(ALL) ALL\n"} },
		"outside":          func(f *Facts) { f.Project, f.Farm.First = nil, false; f.Names[0] = Name{"npm", "/usr/bin/npm", false} },
		"outside, no shim": func(f *Facts) { f.Project, f.Farm.First, f.Uncovered = nil, false, []string{"uv"} },
		"an honest alias":  func(f *Facts) { f.Words = []Word{{Alias, "npm", "npm --no-fund"}} },
		"to another shim":  func(f *Facts) { f.Words = []Word{{Alias, "pip", "A=1 npm x"}} },
		"another name":     func(f *Facts) { f.Words = []Word{{Alias, "ls", "/bin/ls"}, {Function, "mkcd", ""}} },
		"the hook's own":   func(f *Facts) { f.Words = []Word{{Function, "npm", "npm ()\n{\n __jail_strict npm"}} },
		"the shim's place": func(f *Facts) { f.Words = []Word{{Hash, "npm", "/h/shims/npm"}} },
		"an agent, always": func(f *Facts) {
			f.Agents, f.Startup[0].Text = []string{"CODEX_X"}, `eval "$(jail-hook init bash --always)"`+"\n"
		},
		"root and AppArmor": func(f *Facts) { f.Host.AppArmor, f.Host.Root = true, true },
		"a root of root's":  func(f *Facts) { f.Host.UnprivUserNS, f.Host.Root = 0, true },
	} {
		f := healthy()
		change(&f)
		if found := Examine(f); len(found) != 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestWrongComesFirst(t *testing.T) {
	f := healthy()
	f.Sudo, f.Farm.Old, f.Models = true, true, []string{"/m"}
	found := Examine(f)
	if len(found) != 3 || found[0].Level != Wrong || found[1].Level != Note || found[2].Level != Note {
		t.Errorf("%+v", found)
	}
}

func TestFindingsStayOnOneLine(t *testing.T) {
	f := healthy()
	const odd = "/a\nb'$(x)\x1b"
	f.Files, f.Gone, f.Project.Root, f.Project.FS = []string{odd}, []string{odd}, odd, "9p"
	f.Farm.Exists, f.Farm.Dir = false, odd
	f.Startup[0] = File{Path: odd}
	f.Models = []string{odd}
	for _, found := range Examine(f) {
		if strings.ContainsAny(found.Fix, "\n\x1b") {
			t.Errorf("%s: %q", found.ID, found.Fix)
		}
	}
}

func TestWordsOfEachShell(t *testing.T) {
	for shell, text := range map[string]string{
		"bash": "alias ll='ls -l'\nalias npm='/usr/bin/npm'\nf () \n{ \n    echo }\n}\nnpm () \n{ \n    /usr/bin/npm\n}\nbuiltin hash -p /usr/bin/npm npm\n",
		"zsh":  "alias -- -='cd -'\nalias ll='ls -l'\nalias npm=/usr/bin/npm\nf () {\n\techo }\n}\nnpm () {\n\t/usr/bin/npm\n}\nhash npm=/usr/bin/npm\n",
	} {
		var mine []Word
		for _, w := range Words(text) {
			if w.Name == "npm" {
				mine = append(mine, w)
			}
		}
		slices.SortFunc(mine, func(a, b Word) int { return strings.Compare(string(a.Kind), string(b.Kind)) })
		if len(mine) != 3 || mine[0] != (Word{Alias, "npm", "/usr/bin/npm"}) || mine[1].Kind != Function || !strings.Contains(mine[1].Text, "/usr/bin/npm") || mine[2] != (Word{Hash, "npm", "/usr/bin/npm"}) {
			t.Errorf("%s: %+v", shell, mine)
		}
	}
	fish := Words("# Defined via `source`\nfunction f\n    echo\nend\nfunction npm --wraps=x --description 'alias npm x'\n    /usr/bin/npm\nend\n")
	if len(fish) != 2 || fish[1].Kind != Function || fish[1].Name != "npm" || !strings.Contains(fish[1].Text, "/usr/bin/npm") {
		t.Errorf("fish: %+v", fish)
	}
	for _, text := range []string{"", "\n\n", "alias", "alias ", "hash", "function ", "x ()", "npm () {", "builtin hash -p", "}"} {
		_ = Words(text) // whatever it says
	}
}

func FuzzWords(f *testing.F) {
	f.Add("alias npm='x'\nnpm () \n{ \n}\nbuiltin hash -p /a b\n")
	f.Add("function npm --wraps\nend\nhash a=b\nx () {\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		facts := healthy()
		facts.Words = Words(text)
		for _, w := range facts.Words {
			if w.Name == "" {
				t.Errorf("%q: a word without a name", text)
			}
		}
		for _, found := range Examine(facts) {
			if found.Fix == "" {
				t.Errorf("%q: %+v", text, found)
			}
		}
	})
}
