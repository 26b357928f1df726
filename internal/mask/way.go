package mask

import (
	"fmt"
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
