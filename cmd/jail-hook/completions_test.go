package main

import (
	"strings"
	"testing"

	"jail/shell"
)

func TestWordsOfTheTable(t *testing.T) {
	i := newInstall(t)
	for typed, want := range map[string]string{
		"init":                       "--always --no-cd --strict bash fish zsh",
		"init --always":              "--always --no-cd --strict bash fish zsh",
		"init bash":                  "--always --no-cd --strict",
		"trust":                      "--show --yes-hash= <directory>",
		"trust --yes-hash":           "",
		"trust --yes-hash x":         "--show --yes-hash= <directory>",
		"which":                      "<command>",
		"shims":                      "refresh",
		"cache":                      "--all --json clear",
		"completions":                "bash fish zsh",
		"nope":                       "",
		"status extra words --and x": "--json",
	} {
		out, errs, status := i.hook(i.dir, append([]string{"completions", "words"}, strings.Fields(typed)...)...)
		var words []string
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			words = append(words, word)
		}
		if got := strings.Join(words, " "); got != want || errs != "" || status != 0 {
			t.Errorf("%s: %q %q %d, want %q", typed, got, errs, status, want)
		}
	}
	out, _, _ := i.hook(i.dir, "completions", "words")
	verbs := newUser(nil, nil, nil).verbs()
	if n := strings.Count(out, "\n"); n != len(verbs) {
		t.Errorf("%d verbs of %d", n, len(verbs))
	}
}

// The code of the shells has no list of its own, which would be wrong one day. And
// none of it is in what a shell evaluates when it starts.
func TestCompletionsNameNothing(t *testing.T) {
	i := newInstall(t)
	for _, name := range shell.Shells() {
		out, errs, status := i.hook(i.dir, "completions", name)
		code, _ := shell.Completion(name)
		if out != code || errs != "" || status != 0 {
			t.Errorf("%s: %q %d", name, errs, status)
		}
		for _, v := range newUser(nil, nil, nil).verbs() {
			for _, f := range v.Flags {
				if strings.Contains(code, "--"+f.Names()[0]) {
					t.Errorf("%s names --%s", name, f.Names()[0])
				}
			}
			// bypass is one word that is followed by another command line.
			if v.Name != "bypass" && v.Name != "completions" && strings.Contains(code, "jail-hook "+v.Name) {
				t.Errorf("%s names %s", name, v.Name)
			}
		}
		if init, _, _ := i.hook(i.dir, "init", name); strings.Contains(init, "completions") || strings.Contains(init, "--help") {
			t.Errorf("init %s loads completions", name)
		}
	}
	if _, _, status := i.hook(i.dir, "completions", "tcsh"); status != statusUsage {
		t.Errorf("%d", status)
	}
}

// Each place of an argument in the table has words, or is a name that a shell knows.
func TestEveryArgumentIsKnown(t *testing.T) {
	for _, v := range newUser(nil, nil, nil).verbs() {
		for _, place := range places(v) {
			for _, kind := range place {
				switch kind {
				case "SHELL", "CACHE", "DIRECTORY", "ROOT", "NAME", "COMMAND", "ARGUMENT", "--":
				default:
					if kind != strings.ToLower(kind) {
						t.Errorf("%s: %s", v.Name, kind)
					}
				}
			}
		}
	}
}
