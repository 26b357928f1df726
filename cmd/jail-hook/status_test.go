package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestStatus(t *testing.T) {
	i := newInstall(t)
	i.hook(i.dir, "init", "bash")
	out, errs, status := i.hook(i.at("out"), "status")
	if status != statusOutside || errs != "" || !strings.HasPrefix(out, "root     none\n") {
		t.Errorf("%q %q %d", out, errs, status)
	}
	out, errs, status = i.hook(i.at("proj/a"), "status")
	if status != 0 || errs != "" || !strings.HasPrefix(out, "root     "+i.at("proj")+"\n") || !strings.Contains(out, "not first on PATH") ||
		!strings.Contains(out, i.at("bin/npm")+"  (not jailed") {
		t.Errorf("%q %q %d", out, errs, status)
	}
	env := append([]string{"PATH=" + i.farm() + ":" + i.at("bin")}, i.env()[1:]...)
	out, errs, status = i.run(i.at("proj/a"), env, i.at("opt/jail-hook"), "status", "--json")
	var r report
	if err := json.Unmarshal([]byte(out), &r); err != nil || status != 0 || errs != "" {
		t.Fatalf("%v %q %q %d", err, out, errs, status)
	}
	want := row{Name: "npm", Path: i.at("bin/npm")}
	if r.Root != i.at("proj") || !r.OnPath || r.Inside || len(r.Shims) != 2 || r.Shims[0] != want || r.Farms[0] != i.farm() {
		t.Errorf("%+v", r)
	}
}

// status says what every command here would get, and by whose word.
func TestStatusOfAProject(t *testing.T) {
	i := newInstall(t)
	look := func(dir string, want int, more ...string) (r report, text string) {
		t.Helper()
		text, _, _ = i.run(i.at(dir), i.env(more...), i.at("opt/jail-hook"), "status")
		out, errs, status := i.run(i.at(dir), i.env(more...), i.at("opt/jail-hook"), "status", "--json")
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != want || errs != "" {
			t.Fatalf("%v %q %q %d", err, out, errs, status)
		}
		return r, text
	}
	r, text := look("proj", 0)
	if r.Mode != "normal" || r.Network != "host" || !r.Marker || len(r.Trust) != 1 || r.Trust[0].State != trustNone || !strings.Contains(text, "mode     normal (default)\n") {
		t.Errorf("%+v\n%s", r, text)
	}
	r, _ = look("proj", 0, "HERMES_KANBAN_TASK=1")
	if r.Mode != "worker" || !strings.Contains(r.ModeReason, "HERMES_KANBAN_TASK is set") {
		t.Errorf("%+v", r)
	}
	i.configure("network = \"off\"\n")
	r, text = look("proj", 0)
	if r.Network != "none" || r.Trust[0].State != trustNeedless || r.Trust[0].SHA256 == "" || !strings.Contains(text, "asks for nothing that needs trust") {
		t.Errorf("%+v\n%s", r, text)
	}
	i.configure(loosens)
	r, text = look("proj", 0)
	if r.Trust[0].State != trustMissing || len(r.Trust[0].Asks) != 1 || !strings.Contains(text, "is not trusted, so this is ignored (jail-hook trust):\n         asks for: read and write \"/opt\"") {
		t.Errorf("%+v\n%s", r, text)
	}
	i.hook(i.at("proj"), "trust", "--yes-hash", r.Trust[0].SHA256)
	if r, _ = look("proj/a", 0); r.Trust[0].State != trustGiven {
		t.Errorf("%+v", r)
	}
	must(t, os.MkdirAll(i.at("proj/a/.ai-jail"), 0o755))
	if r, _ = look("proj/a", 0); len(r.Trust) != 2 || r.Trust[0].State != trustGiven || r.Trust[1].State != trustNone || r.Root != i.at("proj/a") {
		t.Errorf("nested: %+v", r)
	}
	i.configure("mode = \"x\"\n")
	r, text = look("proj", 0)
	if !strings.Contains(r.Error, "config.toml:1:") || r.Mode != "" || r.Trust[0].State != trustUnchecked || !strings.Contains(text, "\nerror    ") {
		t.Errorf("%+v\n%s", r, text)
	}
	must(t, os.WriteFile(i.at("out/.ai-jail"), nil, 0o644))
	r, text = look("out", statusOutside)
	if r.Root != "" || len(r.Other) != 1 || r.Other[0] != i.at("out/.ai-jail") || !strings.Contains(text, "another tool's, and no marker") {
		t.Errorf("%+v\n%s", r, text)
	}
}
