package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"jail/internal/detect"
	"jail/internal/mask"
	"jail/internal/roots"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"

	"golang.org/x/sys/unix"
)

// A caller is who started the launcher, and from where: the environment, read
// once, and what follows from it.
type caller struct {
	env      []string
	owner    plan.Owner
	homes    []string
	home     string // for jail's own files: the one that passwd names, where it names one
	physical string // the working directory; empty if it was deleted
	started  string // the same, before --chdir and --project: where the caller comes back to
	logical  string // what $PWD says
	typed    string // where relative paths of options count from
	data     string // jail's own directory
	config   string // the user's file; empty where there is no home to hold it
	farms    []plan.ID
	known    roots.Lists // the known roots; the first list is that of data
	below    []string    // jail_below, as the configuration says it now
	shims    []string    // further names that the project's trusted configuration has shimmed
	copies   []plan.Copy // what is shown in the place of settings, and what was left out of it
	tree     mask.Tree   // what the search of the project found, for a look after the run
	quiet    bool
	watch    *stopwatch // nil unless somebody wants to know
	stderr   io.Writer
}

func newCaller(argv, env []string, stderr io.Writer) *caller {
	c := &caller{env: env, stderr: stderr}
	c.owner = plan.Owner{UID: uint32(os.Geteuid()), GID: uint32(os.Getegid())}
	c.homes = detect.Homes(int(c.owner.UID), c.get("HOME"), detect.PasswdHome)
	if len(c.homes) > 0 && !closed(c.homes[0], c.owner.UID) {
		c.home = c.homes[0]
	}
	c.physical, _ = unix.Getwd()
	if !filepath.IsAbs(c.physical) {
		c.physical = "" // getcwd(2) calls a directory outside of the root "(unreachable)"
	}
	c.started, c.logical, c.typed = c.physical, c.get("PWD"), c.physical
	c.data = shim.DataDir(c.home, c.get("XDG_DATA_HOME"))
	if dir := shim.ConfigDir(c.home, c.get("XDG_CONFIG_HOME")); filepath.IsAbs(dir) {
		c.config = filepath.Join(dir, "config.toml")
	}
	// A completion that runs us at every TAB wants no words of ours among its own.
	c.quiet = c.get("COMP_LINE") != "" || c.get("_ARGCOMPLETE") != ""
	return c
}

// closed reports whether a home is another's, and the caller may not even look into
// it, so that nothing in it can be the caller's own. In a user namespace the one that
// passwd names for root is such.
func closed(home string, uid uint32) bool {
	if unix.Access(home, unix.X_OK) != unix.EACCES {
		return false
	}
	var st unix.Stat_t
	return unix.Stat(home, &st) == nil && st.Uid != uid
}

// own are the directories that nothing jailed may ever write to.
func (c *caller) own() (dirs []string) {
	dirs = []string{c.data}
	if c.config != "" {
		dirs = append(dirs, filepath.Dir(c.config))
	}
	return dirs
}

// get returns the value of a variable, the first one where it is there twice, as
// getenv(3) does. Without PATH programs are found where execvp(3) looks for them.
func (c *caller) get(name string) string {
	v, set := c.lookup(name)
	if !set && name == "PATH" {
		return shim.DefaultPath
	}
	return v
}

func (c *caller) lookup(name string) (value string, ok bool) {
	for _, e := range c.env {
		if n, v, found := strings.Cut(e, "="); found && n == name {
			return v, true
		}
	}
	return "", false
}

func (c *caller) isSet(name string) bool {
	_, ok := c.lookup(name)
	return ok
}

// lowest is the number below which a caller's is one that the jail's own first processes
// have as well: whoever waits there for one of them to end would wait for ever. It is also
// where the kernel goes on when it has given out all numbers.
const lowest = 300

// parent is the process that called this one; 0 where its number is too low, as in a small
// container, or where it is not in this pid namespace at all.
func parent() uint32 {
	if ppid := unix.Getppid(); ppid >= lowest {
		return uint32(ppid)
	}
	return 0
}
