package later

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/mask"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// packageScripts compares the scripts of a package.json, which npm run starts by a name.
func (t *tree) packageScripts(name string) {
	if st := t.look(name); !isRegular(st) || !t.since(st) {
		return
	}
	b, err := t.read(name, maxText)
	before, was := t.run.scripts[name]
	if err != nil || !was {
		return // a new package, whose scripts nobody knows by heart
	}
	old, now := scriptsOf([]byte(before)), scriptsOf(b)
	var changed []string
	for script, text := range now {
		if old[script] != text {
			changed = append(changed, plan.Quote(short(script)))
		}
	}
	if changed != nil {
		slices.Sort(changed)
		t.report(name, "scripts: "+strings.Join(changed, " "))
	}
}

func scriptsOf(b []byte) map[string]string {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(b, &p) != nil {
		return nil
	}
	return p.Scripts
}

// names looks at what is new in a directory where somebody may work: settings of editors
// and agents.
func (t *tree) names(dir string) {
	t.guarded(dir, ".claude")
	if !t.since(t.look(dir)) {
		return
	}
	names, _ := t.list(dir)
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		switch whole, parts := mask.Guarded(name); {
		case name == ".git" || name == ".ai-jail" || name == ".claude":
		case whole:
			if st := t.look(path); st != nil && !t.was(path, st) && t.since(st) {
				t.report(path, "")
			}
		case parts != nil:
			t.guarded(dir, name)
		case ofHooks(name):
			if t.since(t.look(path)) {
				t.report(path, "")
			}
		}
	}
}

// ofHooks knows further names of what says which hooks a manager of hooks runs.
func ofHooks(name string) bool {
	return strings.HasPrefix(strings.TrimPrefix(name, "."), "lefthook") || name == ".overcommit.yml"
}

// setting looks at something that was there before in a directory where nobody stands,
// so that it was not read-only: whoever goes there next has a tool that believes it.
func (t *tree) setting(path string) {
	whole, parts := mask.Guarded(filepath.Base(path))
	if whole {
		parts = []string{"."}
	}
	for _, part := range parts {
		if part := filepath.Join(path, part); t.touched(part, 0) {
			t.report(part, "")
		}
	}
}

// Bounds of a look into a directory of settings.
const (
	maxSettings = 200
	maxLevels   = 3
)

// touched reports whether a file or directory has changed, or anything in it. More names
// in it than are looked at make a change of the directory itself.
func (t *tree) touched(path string, level int) bool {
	st := t.look(path)
	switch {
	case st == nil || t.was(path, st):
		return false
	case t.since(st):
		return true
	case !isDir(st) || level == maxLevels:
		return false
	}
	names, _ := t.list(path)
	if len(names) > maxSettings {
		names = names[:maxSettings]
	}
	return slices.ContainsFunc(names, func(name string) bool { return t.touched(filepath.Join(path, name), level+1) })
}

// guarded looks at a directory of which parts are settings.
func (t *tree) guarded(dir, name string) {
	at := filepath.Join(dir, name)
	st := t.look(at)
	if !t.since(st) {
		return
	}
	_, parts := mask.Guarded(name)
	for _, part := range parts {
		path := filepath.Join(at, part)
		if st := t.look(path); st != nil && !t.was(path, st) && t.since(st) {
			t.report(path, "")
		}
	}
}

// pipelines are run by others, with other secrets, or by git at the next commit.
func (t *tree) pipelines() {
	for _, name := range []string{
		".gitlab-ci.yml", "Jenkinsfile", "azure-pipelines.yml", ".travis.yml", ".circleci/config.yml",
		"lefthook.yml", ".pre-commit-config.yaml",
	} {
		if t.since(t.look(name)) {
			t.report(name, "")
		}
	}
	for _, dir := range []string{".github/workflows", ".husky"} {
		if t.look(dir) == nil {
			continue
		}
		names, _ := t.list(dir)
		slices.Sort(names)
		for _, name := range names {
			path := filepath.Join(dir, name)
			if st := t.look(path); isRegular(st) && t.since(st) && name[0] != '.' {
				t.report(path, "")
			}
		}
	}
}

// programs looks for new ones that go by the name of one of the system's. An install
// puts hundreds of others there; their names were chosen by whoever called it. What
// has a shim is jailed wherever it lies.
func (t *tree) programs() {
	for _, dir := range t.programDirs() {
		st := t.look(dir)
		if !isDir(st) || !t.since(st) {
			continue
		}
		names, _ := t.list(dir)
		slices.Sort(names)
		for _, name := range names {
			path := filepath.Join(dir, name)
			if st := t.look(path); st != nil && t.since(st) && t.shadows(name) {
				t.report(path, "hides the system's")
			}
		}
	}
}

// programDirs are those that tools make, and those of PATH that lie in the project.
func (t *tree) programDirs() []string {
	dirs := []string{"node_modules/.bin", ".venv/bin", "venv/bin"}
	for _, dir := range t.run.path {
		rel, err := filepath.Rel(t.run.plan.Root.Path, dir)
		if err == nil && filepath.IsLocal(rel) && !slices.Contains(dirs, rel) {
			dirs = append(dirs, rel)
		}
	}
	return dirs
}

func (t *tree) shadows(name string) bool {
	if _, shimmed := shim.PresetFor(name); shimmed {
		return false
	}
	for _, dir := range t.run.path {
		if !plan.Below(dir, "/usr") && !plan.Below(dir, "/bin") && !plan.Below(dir, "/sbin") {
			continue
		}
		if fi, err := os.Stat(filepath.Join(dir, name)); err == nil && fi.Mode()&0o111 != 0 {
			return true
		}
	}
	return false
}
