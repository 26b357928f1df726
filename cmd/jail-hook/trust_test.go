package main

import (
	"os"
	"strings"
	"testing"
)

const loosens = "rw = [\"/opt\"]\nmask = [\"*.tfstate\"]\n"

// sumOf is what trust --show prints for the project.
func (i install) sumOf() string {
	i.t.Helper()
	out, errs, status := i.hook(i.at("proj"), "trust", "--show")
	_, sum, found := strings.Cut(out, "sha256 ")
	if !found || status != 0 {
		i.t.Fatalf("trust --show: %q %q %d", out, errs, status)
	}
	return strings.TrimSpace(sum)
}

func (i install) configure(text string) {
	i.t.Helper()
	must(i.t, os.WriteFile(i.at("proj/.ai-jail/config.toml"), []byte(text), 0o644))
}

func TestTrustShowsAndConsents(t *testing.T) {
	i := newInstall(t)
	i.configure(loosens)
	out, _, _ := i.hook(i.at("proj"), "trust", "--show")
	if !strings.Contains(out, `asks for: read and write "/opt"`) || strings.Contains(out, "tfstate") {
		t.Errorf("shown: %q", out)
	}
	out, errs, status := i.hook(i.at("proj/a"), "trust", "--yes-hash", i.sumOf())
	if status != 0 || !strings.Contains(out, "trusted") {
		t.Fatalf("%q %q %d", out, errs, status)
	}
	i.configure(loosens + "network = \"on\"\n")
	if out, _, _ = i.hook(i.at("proj"), "trust", "--show"); !strings.Contains(out, `+ network = "on"`) {
		t.Errorf("the change is not shown: %q", out)
	}
}

// Nobody at a terminal and no sum means no consent, whatever the environment says.
func TestTrustNeedsSomebody(t *testing.T) {
	i := newInstall(t)
	i.configure(loosens)
	sum := i.sumOf()
	for name, args := range map[string][]string{
		"no terminal":   {"trust"},
		"another sum":   {"trust", "--yes-hash", strings.Repeat("0", 64)},
		"half of a sum": {"trust", "--yes-hash", sum[:32]},
	} {
		out, errs, status := i.run(i.at("proj"), i.env("CI=true", "JAIL_TRUST=1"), append([]string{i.at("opt/jail-hook")}, args...)...)
		if status != 125 || !strings.Contains(errs, "jail: hint: jail-hook trust") {
			t.Errorf("%s: %q %q %d", name, out, errs, status)
		}
		if strings.Contains(out, "trusted, until") {
			t.Errorf("%s: consented", name)
		}
	}
	i.configure(loosens + "\n")
	if _, _, status := i.hook(i.at("proj"), "trust", "--yes-hash", sum); status != 125 {
		t.Errorf("the sum of other bytes was believed: %d", status)
	}
}

func TestUntrust(t *testing.T) {
	i := newInstall(t)
	i.configure(loosens)
	if out, _, status := i.hook(i.at("proj"), "untrust"); status != 0 || !strings.Contains(out, "was not trusted") {
		t.Errorf("%q %d", out, status)
	}
	i.hook(i.at("proj"), "trust", "--yes-hash", i.sumOf())
	if out, _, status := i.hook(i.at("out"), "untrust", i.at("proj")); status != 0 || !strings.Contains(out, "not trusted any more") {
		t.Errorf("%q %d", out, status)
	}
}

func TestTrustOfNothing(t *testing.T) {
	i := newInstall(t)
	for dir, want := range map[string]string{"proj": "has no configuration", "out": "no .ai-jail at or above"} {
		if _, errs, status := i.hook(i.at(dir), "trust"); status != 125 || !strings.Contains(errs, want) || !strings.Contains(errs, "hint: jail-hook new") {
			t.Errorf("%s: %q %d", dir, errs, status)
		}
	}
}

func TestNew(t *testing.T) {
	i := newInstall(t)
	must(t, os.WriteFile(i.at("out/package.json"), nil, 0o644))
	if _, errs, status := i.hook(i.at("out"), "new"); status != 0 {
		t.Fatalf("%q %d", errs, status)
	}
	text, err := os.ReadFile(i.at("out/.ai-jail/config.toml"))
	must(t, err)
	if !strings.Contains(string(text), "[commands.npm]") || strings.Contains(string(text), "cargo") {
		t.Errorf("not for npm: %s", text)
	}
	for line := range strings.Lines(string(text)) {
		if line != "\n" && line[0] != '#' {
			t.Errorf("a line that says something: %q", line)
		}
	}
	if out, _, _ := i.hook(i.at("out"), "trust", "--show"); !strings.Contains(out, "asks for nothing") {
		t.Errorf("%q", out)
	}
	if _, errs, status := i.hook(i.at("out"), "new"); status != 125 || !strings.Contains(errs, "stays as it is") {
		t.Errorf("again: %q %d", errs, status)
	}
	must(t, os.MkdirAll(i.at("home"), 0o755))
	if _, errs, status := i.hook(i.at("home"), "new"); status != 125 {
		t.Errorf("in the home: %q %d", errs, status)
	}
}
