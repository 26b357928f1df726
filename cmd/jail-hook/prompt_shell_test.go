package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jail/internal/needed"
)

// What the manual says to put into a prompt works in the shell that it is for, and
// shows any name as it is.
func TestPromptsOfTheManual(t *testing.T) {
	page, err := os.ReadFile("../../man/jail-hook.1")
	must(t, err)
	_, prompts, _ := strings.Cut(string(page), ".Sh PROMPTS")
	i := newInstall(t)
	odd := "a %F{red} $(touch hit) \\w`x`"
	must(t, os.MkdirAll(filepath.Join(i.dir, odd, ".ai-jail"), 0o755))
	for name, test := range map[string]struct{ show, from, to, want string }{
		"bash": {"eval \"$(\"$H\" init bash)\"; cd \"$1\"; PS1=; shopt -s promptvars\nSNIPPET\necho \"${PS1@P}\"", "# bash\n", "# zsh\n", "[jail:NAME] "},
		"zsh":  {"eval \"$(\"$H\" init zsh)\"; cd \"$1\"; PROMPT=\nSNIPPET\nprint -P \"$PROMPT\"", "# zsh\n", ".Ed", "[jail:NAME] "},
		"fish": {"$H init fish | source; cd $argv[1]\nSNIPPET\nfish_right_prompt", "function fish_right_prompt", ".Ed", "jail:NAME"},
	} {
		t.Run(name, func(t *testing.T) {
			path := needed.Program(t, name)
			_, text, found := strings.Cut(prompts, test.from)
			text, _, ended := strings.Cut(text, test.to)
			if !found || !ended {
				t.Fatal("the manual has no such lines")
			}
			if name == "fish" {
				text = test.from + text
			}
			text = strings.NewReplacer(`\(aq`, "'", `\(dq`, `"`, `\e`, `\`).Replace(text)
			script := strings.Replace(test.show, "SNIPPET", text, 1)
			for dir, want := range map[string]string{"proj/a": strings.Replace(test.want, "NAME", "proj", 1), odd: strings.Replace(test.want, "NAME", odd, 1), "out": ""} {
				argv := map[string][]string{
					"bash": {path, "--norc", "-c", script, "bash", i.at(dir)},
					"zsh":  {path, "-fc", script, "zsh", i.at(dir)},
					"fish": {path, "-N", "-c", script, i.at(dir)},
				}[name]
				env := append([]string{"PATH=" + i.at("bin") + ":/usr/bin:/bin", "H=" + i.at("opt/jail-hook")}, i.env()[1:]...)
				out, errs, status := i.run(i.dir, env, argv...)
				if got := strings.TrimSuffix(out, "\n"); got != want || name != "fish" && status != 0 {
					t.Errorf("in %q: %q %q %d, want %q", dir, got, errs, status, want)
				}
			}
			if hits, _ := filepath.Glob(filepath.Join(i.dir, "*", "hit")); hits != nil {
				t.Errorf("a name was run: %q", hits)
			}
		})
	}
}
