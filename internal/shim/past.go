package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"jail/internal/sandbox/plan"
)

// PastVariable is DepthVariable for shims that were passed in a project.
const PastVariable = "JAIL_PAST"

// maxPast is more than any make calls itself.
const maxPast = 64

// Past returns how the program that a shim was passed over for takes the shim's
// place: a git of the host's, where the farm of a root has a shim because the
// project has, or once had, a git of its own on PATH. The farms stay on PATH, so
// that what its hooks call is jailed as it would be without the shim.
func Past(args, env []string, program string) (Exec, error) {
	depth := counted(env, PastVariable)
	if depth >= maxPast {
		return Exec{}, &LoopError{Name: base(args[0]), Times: maxPast}
	}
	env = set(env, PastVariable, strconv.Itoa(depth+1))
	return Exec{Path: program, Args: append([]string{program}, args[1:]...), Env: env}, nil
}

// FromProject reports whether the project root had a say in what program is: it
// lies in the root, or a link on the way to it does.
func FromProject(program, root, as string) bool {
	s := rootSearch{RootRequest: RootRequest{Root: root, As: as}}
	dirs, whole := trail(program)
	return !whole || slices.ContainsFunc(dirs, s.contains)
}

// Trail returns the directories that had a say in what program is, without links
// and without repeats: the one that it lies in, and those of the links on the way.
func Trail(program string) []string {
	dirs, _ := trail(program)
	for i, dir := range dirs {
		dirs[i] = leadsTo(dir)
	}
	return slices.Compact(dirs)
}

// trail is false for a chain of links without an end, which is nothing to run
// without a jail.
func trail(program string) (dirs []string, whole bool) {
	for range maxLinks {
		dir := filepath.Dir(program)
		dirs = append(dirs, dir)
		target, err := os.Readlink(program)
		if err != nil {
			return dirs, true
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(leadsTo(dir), target)
		}
		program = filepath.Clean(target)
	}
	return dirs, false
}

// maxLinks is how many links one path may go through, as in path_resolution(7).
const maxLinks = 40

// counted reads a counter of shims from the environment.
func counted(env []string, name string) int {
	text, _ := value(env, name)
	depth, err := strconv.Atoi(text)
	if err != nil || depth < 0 {
		return 0
	}
	return depth
}

// An OwnError says that a project has a program of jail's own name.
type OwnError struct{ Path string }

func (e *OwnError) Error() string {
	return fmt.Sprintf("%q lies in the project and is called like jail itself", e.Path)
}

// Advice is a command to paste.
func (e *OwnError) Advice() string { return "rm " + plan.Word(e.Path) }
