package mask

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// onTheWay are the names that are guarded below the root too, in the directories down
// to the one where the command starts: where somebody works, a prompt or an editor
// looks at them. A list, because a directory may have a hundred thousand other names.
func onTheWay() []string {
	return []string{
		".git", ".hg", ".envrc", ".mise.toml", "mise.toml", ".tool-versions", ".vscode", ".idea", ".devcontainer",
		".cursor", ".claude", ".mcp.json", ".codex",
	}
}

// Way returns what must be read-only in the directories below root down to dir, as
// Walk does for the root itself. The directories are no mount points for it, since
// files are moved between them and others; who moves one away and makes another is
// noticed after the run.
func Way(root, dir string) ([]plan.Pinned, error) {
	var pins []plan.Pinned
	for ; dir != root && plan.Below(dir, root); dir = filepath.Dir(dir) {
		more, err := guarded(dir)
		if err != nil {
			return nil, err
		}
		pins = append(pins, more...)
	}
	slices.SortFunc(pins, func(a, b plan.Pinned) int { return plan.ComparePaths(a.Source.Path, b.Source.Path) })
	return slices.CompactFunc(pins, func(a, b plan.Pinned) bool { return a.Source.Path == b.Source.Path }), nil
}

func guarded(dir string) ([]plan.Pinned, error) {
	f, err := openRoot(dir, plan.ID{})
	if err != nil {
		return nil, err
	}
	defer unix.Close(f)
	k := newWorker(newWalk(dir, f, nil))
	for _, name := range onTheWay() {
		var st stat
		if statAt(f, name, &st) != nil {
			continue
		}
		if err := k.guard(f, name); err != nil {
			return nil, fmt.Errorf("look for what is read-only in %q: %w", dir, err)
		}
	}
	return k.found.pins, nil
}

// maxOthers bounds how many repositories are guarded inside of one.
const maxOthers = 256

// guardOthers guards the directories that submodules and linked worktrees have in
// git's: a look at the repository around a submodule, or at the other worktree,
// reads their configuration.
func (k *worker) guardOthers(f int, git string) error {
	budget := maxOthers
	if err := k.guardModules(f, git+"/modules", &budget, 0); err != nil {
		return err
	}
	names, err := namesIn(f, git+"/worktrees")
	for _, name := range names {
		if budget--; err == nil && budget >= 0 {
			err = k.guardParts(f, git+"/worktrees/"+name, "commondir", "config.worktree")
		}
	}
	return err
}

// guardModules goes down where a submodule's name has slashes in it.
func (k *worker) guardModules(f int, dir string, budget *int, depth int) error {
	const deepest = 4
	if depth == deepest {
		return nil
	}
	names, err := namesIn(f, dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if *budget--; *budget < 0 {
			return nil
		}
		var st stat
		at := dir + "/" + name
		if statAt(f, at+"/HEAD", &st) == nil {
			err = k.guardParts(f, at, guardGit.below()...)
		} else {
			err = k.guardModules(f, at, budget, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *worker) guardParts(f int, dir string, parts ...string) error {
	for _, part := range parts {
		if err := k.guardPart(f, dir+"/"+part); err != nil {
			return err
		}
	}
	return nil
}

// namesIn lists a directory that is there now and then.
func namesIn(f int, dir string) ([]string, error) {
	fd, err := openat(f, dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return nil, guardError(dir, err)
	}
	d := os.NewFile(uintptr(fd), dir)
	defer d.Close()
	names, err := d.Readdirnames(maxOthers)
	if err != nil && err != io.EOF {
		return nil, guardError(dir, err)
	}
	slices.Sort(names)
	return names, nil
}
