package later

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"jail/internal/mask"
	"jail/internal/sandbox/plan"
)

// A Run is one command in one project.
type Run struct {
	plan    *plan.Plan
	path    []string // directories of the caller's PATH
	tree    mask.Tree
	start   time.Time
	scripts map[string]string // of each package.json, as they were
}

// A Held is something that was renamed.
type Held struct {
	Path, Now string // absolute
	Why       string // what it would have run
}

// A Result is what a command left.
type Result struct {
	Held    []Held
	Changed []string // in words, each beginning with a path below the root
}

// slack is by how much a file system's clock may be behind ours: its times are those
// of the last tick.
const slack = 20 * time.Millisecond

// Begin is called before the command starts, with what there is of the project.
func Begin(p *plan.Plan, path string, was mask.Tree) Run {
	r := Run{plan: p, path: filepath.SplitList(path), tree: was, start: time.Now().Add(-slack)}
	if r.writable() {
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

// levels are the directories from the root down to the one where the command started,
// relative to the root.
func (r Run) levels() []string {
	levels := []string{"."}
	rel, err := filepath.Rel(r.plan.Root.Path, r.plan.Process.Cwd)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return levels
	}
	at := "."
	for part := range strings.SplitSeq(rel, "/") {
		at = filepath.Join(at, part)
		levels = append(levels, at)
	}
	return levels
}

// End is called when the command and all that it started are gone.
func (r Run) End() Result {
	if !r.writable() {
		return Result{}
	}
	root, err := os.OpenRoot(r.plan.Root.Path)
	if err != nil {
		return Result{}
	}
	defer root.Close()
	t := tree{Root: root, base: r.plan.Root.Path, run: r, pins: pinsOf(r.plan, r.plan.Root.Path)}
	levels := r.levels()
	for _, dir := range levels {
		t.git(dir)
		t.packageScripts(filepath.Join(dir, "package.json"))
	}
	for _, dir := range levels {
		if dir == "." || dir == levels[len(levels)-1] {
			t.names(dir)
		}
	}
	t.search(levels)
	t.pipelines()
	t.programs()
	t.result.Held = append(t.result.Held, r.repository()...)
	return t.result
}

// repository looks at git's directory of a worktree or a submodule, which lies outside
// of the project: the repository's other worktrees read what is in it.
func (r Run) repository() []Held {
	if r.plan.Repository == "" {
		return nil
	}
	root, err := os.OpenRoot(r.plan.Repository)
	if err != nil {
		return nil
	}
	defer root.Close()
	t := tree{Root: root, base: r.plan.Repository, run: r, pins: pinsOf(r.plan, r.plan.Repository)}
	t.parts(".", "commondir", "config", "config.worktree", "hooks")
	for _, w := range t.list("worktrees") {
		t.parts(filepath.Join("worktrees", w), "config.worktree") // a new one has a commondir
	}
	return t.result.Held
}

// A tree is the project after the run.
type tree struct {
	*os.Root
	base   string // its path
	run    Run
	pins   map[string]plan.ID // what was there before and is guarded, by its path below the root
	result Result
}

// pinsOf are the mount points of the plan below a directory.
func pinsOf(p *plan.Plan, base string) map[string]plan.ID {
	pins := map[string]plan.ID{}
	for i := range p.Mounts {
		if m := &p.Mounts[i]; m.Kind == plan.Pin && m.Destination != base {
			if rel, err := filepath.Rel(base, m.Destination); err == nil && filepath.IsLocal(rel) {
				pins[rel] = m.ID
			}
		}
	}
	return pins
}

// look is lstat(2), and nil for what is not there.
func (t *tree) look(name string) *syscall.Stat_t {
	fi, err := t.Lstat(name)
	if err != nil {
		return nil
	}
	st, _ := fi.Sys().(*syscall.Stat_t)
	return st
}

// was reports whether what is at name was there before, and is the same.
func (t *tree) was(name string, st *syscall.Stat_t) bool {
	id, pinned := t.pins[name]
	return pinned && id == plan.ID{Dev: uint64(st.Dev), Ino: st.Ino}
}

// since reports whether something has been changed, made or moved since the start.
func (t *tree) since(st *syscall.Stat_t) bool {
	return st != nil && t.changed(st.Ctim.Unix())
}

func (t *tree) changed(sec, nsec int64) bool { return !time.Unix(sec, nsec).Before(t.run.start) }

func isDir(st *syscall.Stat_t) bool { return st != nil && st.Mode&syscall.S_IFMT == syscall.S_IFDIR }
func isRegular(st *syscall.Stat_t) bool {
	return st != nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG
}

func (t *tree) report(text string) { t.result.Changed = append(t.result.Changed, text) }
