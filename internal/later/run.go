package later

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"jail/internal/mask"
	"jail/internal/sandbox/plan"
)

// A Caller is who waits for a command, and what will be run by whom afterwards.
type Caller struct {
	Path string // the value of PATH
	Cwd  string // where the caller is; the command may have been started elsewhere
	Home string // which ~ means in git's configuration
	XDG  string // the value of XDG_CONFIG_HOME
}

// A Run is one command in one project.
type Run struct {
	plan    *plan.Plan
	back    []string // directories to which the caller comes back
	home    string
	users   []string // git's configuration of the user
	tree    mask.Tree
	were    map[string]plan.ID // each .git that the search found
	path    []string           // directories of the caller's PATH
	start   time.Time
	scripts map[string]string // of each package.json, as they were
}

// A Held is something that was renamed.
type Held struct {
	Path, Now string // absolute
	Why       string // what it would have run
}

// A Change is something that is not undone.
type Change struct {
	Path string // absolute
	Name string // its path below the root
	Why  string // what is the matter with it, where its name does not say so
}

// String is a Change in words. Its name was chosen by the command.
func (c Change) String() string {
	if c.Why == "" {
		return plan.Quote(c.Name)
	}
	return plan.Quote(c.Name) + " (" + c.Why + ")"
}

// A Result is what a command left.
type Result struct {
	Held    []Held
	Changed []Change
}

// slack is by how much a file system's clock may be behind ours: its times are those
// of the last tick.
const slack = 20 * time.Millisecond

// Begin is called before the command starts, with what there is of the project.
func Begin(p *plan.Plan, c Caller, was mask.Tree) Run {
	r := Run{plan: p, tree: was, back: []string{p.Process.Cwd}, home: c.Home, path: filepath.SplitList(c.Path), start: time.Now().Add(-slack)}
	if c.Cwd != "" && c.Cwd != p.Process.Cwd {
		r.back = append(r.back, c.Cwd)
	}
	if c.XDG == "" {
		c.XDG = filepath.Join(c.Home, ".config")
	}
	if r.users = []string{filepath.Join(c.XDG, "git/config"), filepath.Join(c.Home, ".gitconfig")}; c.Home == "" {
		r.users = nil
	}
	if r.writable() {
		r.were = map[string]plan.ID{}
		for _, dir := range was.Repositories[:min(len(was.Repositories), atLeast)] {
			name := filepath.Join(dir, ".git")
			if id, ok := identify(filepath.Join(p.Root.Path, name)); ok {
				r.were[name] = id
			}
		}
		r.scripts = map[string]string{}
		for _, dir := range r.levels() {
			name := filepath.Join(dir, "package.json")
			if text, ok := readAtOnce(filepath.Join(p.Root.Path, name)); ok {
				r.scripts[name] = text
			}
		}
	}
	return r
}

// writable reports whether the command can have changed anything.
func (r Run) writable() bool {
	for i := range r.plan.Mounts {
		if m := &r.plan.Mounts[i]; m.Destination == r.plan.Root.Path {
			return !m.ReadOnly
		}
	}
	return false
}

// levels are the directories from the root down to those to which the caller comes
// back, relative to the root.
func (r Run) levels() []string {
	levels := []string{"."}
	for _, dir := range r.ends() {
		at := "."
		for part := range strings.SplitSeq(dir, "/") {
			if at = filepath.Join(at, part); !slices.Contains(levels, at) {
				levels = append(levels, at)
			}
		}
	}
	return levels
}

// ends are the directories to which the caller comes back, relative to the root.
func (r Run) ends() (dirs []string) {
	for _, dir := range r.back {
		if rel, err := filepath.Rel(r.plan.Root.Path, dir); err == nil && filepath.IsLocal(rel) {
			dirs = append(dirs, rel)
		}
	}
	return dirs
}

// End is called when the command and all that it started are gone.
func (r Run) End() Result {
	if !r.writable() {
		return Result{}
	}
	root, err := openRoot(r.plan.Root)
	if err != nil {
		return Result{Changed: []Change{{Path: r.plan.Root.Path, Name: ".", Why: "could not be looked at"}}}
	}
	t := r.open(root, r.plan.Root.Path)
	t.openOutside()
	defer t.close()
	levels, ends := r.levels(), append(r.ends(), ".")
	for _, dir := range levels {
		t.git(dir)
		t.packageScripts(filepath.Join(dir, "package.json"))
	}
	for _, dir := range levels {
		if slices.Contains(ends, dir) {
			t.names(dir)
		}
	}
	t.search(levels)
	t.pipelines()
	t.programs()
	if t.outside != nil {
		t.outside.within(".")
		t.result.Held = append(t.result.Held, t.outside.result.Held...)
		t.result.Changed = append(t.result.Changed, t.outside.result.Changed...)
	}
	return t.result
}
