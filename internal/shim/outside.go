package shim

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"jail/internal/sandbox/plan"
)

// DepthVariable counts how often one shim has handed over to the next. It ends a
// loop with an error. It can never make a shim pass a command through.
const DepthVariable = "JAIL_DEPTH"

// maxDepth is more than any honest nesting: a shim counts only when it is found
// on PATH again, by a shell or an agent that put the farm there anew.
const maxDepth = 8

// A LoopError says that shims keep calling each other.
type LoopError struct {
	Name  string
	Times int
}

func (e *LoopError) Error() string {
	return fmt.Sprintf("%s: the shims have called each other %d times: another tool's shims lead back to them", e.Name, e.Times)
}

// Advice is a command to paste.
func (e *LoopError) Advice() string { return "jail-hook which " + plan.Word(e.Name) }

// nowhere is an entry of PATH in which nothing can be. An empty PATH would mean
// the working directory.
const nowhere = "/dev/null"

// DefaultPath is what execvp(3) searches where PATH is not set. An empty PATH is
// another thing: the working directory.
const DefaultPath = "/bin:/usr/bin"

// A Lookup finds the program that a shell in cwd would run for name, passing over
// the farms; it is detect.Lookup.
type Lookup func(name, pathVar, cwd string, farms []plan.ID) (string, error)

// An Exec is what to give to execve, unchanged.
type Exec struct {
	Path string
	Args []string
	Env  []string
}

// Outside returns how the real program takes the place of a shim where there is
// nothing to jail: outside a project, and inside a jail. args and env are the
// shim's own, args[0] is what it was called by.
//
// The farms of roots stay on PATH: they are there as long as a directory of the
// project's is, which what the program starts must not run things from. Which of
// them a shim of theirs may be, Past counts.
//
// Args[0] becomes the path as found on PATH. The bare name would make python
// take the shim for itself and put it into every virtual environment; the path
// behind the links would make it miss the one that it lies in.
func Outside(args, env []string, cwd string, farms []plan.ID, find Lookup) (Exec, error) {
	name := base(args[0])
	depth := counted(env, DepthVariable)
	if depth >= maxDepth {
		return Exec{}, &LoopError{Name: name, Times: maxDepth}
	}
	path := DefaultPath
	if value, ok := value(env, "PATH"); ok {
		path = value
	}
	program, err := findReal(name, PathWithout(path, farms), cwd, farms, find)
	if err != nil {
		return Exec{}, err
	}
	env = replace(env, "PATH", pathWithout(path, farms, IsRootFarm))
	env = set(env, DepthVariable, strconv.Itoa(depth+1))
	return Exec{Path: program, Args: append([]string{program}, args[1:]...), Env: env}, nil
}

// findReal is find, and passes over links to a shim that lie in directories of
// other people's: ln -s shims/python3 ~/bin/python3.
func findReal(name, path, cwd string, farms []plan.ID, find Lookup) (string, error) {
	for {
		program, err := find(name, path, cwd, farms)
		if err != nil {
			return "", err
		}
		id, ok := identify(program)
		if !ok || !slices.Contains(farms, id) {
			return program, nil
		}
		shorter := after(path, filepath.Dir(program))
		if shorter == path {
			return "", &LoopError{Name: name, Times: maxDepth}
		}
		path = shorter
	}
}

// after returns the entries of path behind the one that is dir, or path itself.
func after(path, dir string) string {
	entries := strings.Split(path, ":")
	i := slices.IndexFunc(entries, func(entry string) bool { return filepath.Clean(entry) == dir })
	if i == len(entries)-1 {
		return nowhere
	}
	return strings.Join(entries[i+1:], ":")
}

// PathWithout returns path without the entries that are one of farms, whatever
// they are called. All others stay as they are and where they are.
func PathWithout(path string, farms []plan.ID) string {
	return pathWithout(path, farms, func(string) bool { return false })
}

// pathWithout is PathWithout, and keeps those farms that keep says.
func pathWithout(path string, farms []plan.ID, keep func(string) bool) string {
	var kept []string
	for _, entry := range strings.Split(path, ":") {
		// An empty entry is the working directory, to a shell and to execvp.
		dir := entry
		if dir == "" {
			dir = "."
		}
		if id, ok := identify(dir); !ok || !slices.Contains(farms, id) || keep(dir) {
			kept = append(kept, entry)
		}
	}
	if len(kept) == 0 {
		return nowhere
	}
	return strings.Join(kept, ":")
}

// value returns the variable's value. Where a name is there twice, the first
// counts, as for getenv(3).
func value(env []string, name string) (string, bool) {
	for _, entry := range env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			return v, true
		}
	}
	return "", false
}

// replace gives every entry for name in env the value. An env without one stays
// without: a PATH that was not set is not the same as an empty one.
func replace(env []string, name, value string) []string {
	env = slices.Clone(env)
	for i, entry := range env {
		if strings.HasPrefix(entry, name+"=") {
			env[i] = name + "=" + value
		}
	}
	return env
}

// set is replace, and adds the variable where it is missing.
func set(env []string, name, value string) []string {
	env = replace(env, name, value)
	for _, entry := range env {
		if strings.HasPrefix(entry, name+"=") {
			return env
		}
	}
	return append(env, name+"="+value)
}
