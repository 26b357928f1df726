package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/config"
	"jail/internal/detect"
	"jail/internal/roots"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
)

// A user is who called, and from where: the environment, read once, and what
// follows from it.
type user struct {
	env      []string
	uid      uint32
	homes    []string
	home     string // the one that passwd names, where it names one
	physical string // the working directory; empty if it was deleted
	known    roots.Lists
	unknown  error // why the lists of known roots cannot be read
	stdin    *os.File
	stdout   io.Writer
	stderr   io.Writer
}

func newUser(env []string, stdout, stderr io.Writer) *user {
	u := &user{env: env, uid: uint32(os.Geteuid()), stdin: os.Stdin, stdout: stdout, stderr: stderr}
	u.homes = detect.Homes(int(u.uid), u.get("HOME"), detect.PasswdHome)
	if len(u.homes) > 0 {
		u.home = u.homes[0]
	}
	u.physical, _ = unix.Getwd()
	if !filepath.IsAbs(u.physical) {
		u.physical = "" // getcwd(2) calls a directory outside of the root "(unreachable)"
	}
	u.known, u.unknown = roots.ReadAll(u.dataDirs())
	return u
}

// get returns the value of a variable. Without PATH programs are found where
// execvp(3) looks for them.
func (u *user) get(name string) string {
	value, set := u.lookupEnv(name)
	if !set && name == "PATH" {
		return shim.DefaultPath
	}
	return value
}

func (u *user) isSet(name string) bool {
	_, ok := u.lookupEnv(name)
	return ok
}

func (u *user) lookupEnv(name string) (value string, ok bool) {
	for _, entry := range u.env {
		if n, value, ok := strings.Cut(entry, "="); ok && n == name {
			return value, true
		}
	}
	return "", false
}

// project is the one of the working directory.
func (u *user) project() (detect.Project, bool, error) {
	if u.unknown != nil {
		return detect.Project{}, false, u.unknown
	}
	return detect.FindProject(u.physical, u.get("PWD"), u.homes, u.known.Why)
}

// data is jail's own directory, as the launcher has it.
func (u *user) data() string { return shim.DataDir(u.home, u.get("XDG_DATA_HOME")) }

// dataDirs are all that may be, as the shims have it.
func (u *user) dataDirs() []string {
	return shim.DataDirs(u.home, u.get("XDG_DATA_HOME"), "")
}

// dataDir is where the shims are.
func (u *user) dataDir() string {
	dir, _ := u.safeDataDir()
	return dir
}

// safeDataDir is the directory that the shims are put into. Where XDG_DATA_HOME
// leads into a project the launcher refuses to run; here the shims then go where
// they would without the variable, since a shell without any would be a shell
// without a jail, by the word of a variable.
func (u *user) safeDataDir() (dir string, problem error) {
	dir = u.data()
	if problem = u.unsafe(dir); problem != nil {
		return shim.DataDir(u.home, ""), problem
	}
	return dir, u.unsafe(shim.ConfigDir(u.home, u.get("XDG_CONFIG_HOME")))
}

// unsafe reports why a directory of jail's own cannot be where it is: in a
// project, or around one.
func (u *user) unsafe(dir string) error {
	if project, ok, err := detect.FindProject(existing(dir), "", u.homes, u.known.Why); err == nil && ok {
		if err := shim.CheckDataDir(dir, project.Root.Path); err != nil {
			return err
		}
	}
	if project, ok, err := u.project(); err == nil && ok {
		return shim.CheckDataDir(dir, project.Root.Path)
	}
	return nil
}

// existing is path without links, as far up as something is there.
func existing(path string) string {
	for {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		above := filepath.Dir(path)
		if above == path {
			return path
		}
		path = above
	}
}

// launcher is the jail that was installed together with this program.
func launcher() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find jail: %w", err)
	}
	return filepath.Join(filepath.Dir(self), "jail"), nil
}

// configured is what the user's own configuration says.
func (u *user) configured() (plan.Policy, error) {
	file := u.configFile()
	if _, err := os.Lstat(file); os.IsNotExist(err) {
		return plan.Policy{}, nil
	}
	result, err := config.Load(config.Input{UserFile: file, Homes: u.homes, Cwd: u.physical, UID: u.uid})
	if err != nil {
		return plan.Policy{}, err
	}
	return result.Policy, nil
}

func (u *user) configFile() string {
	return filepath.Join(shim.ConfigDir(u.home, u.get("XDG_CONFIG_HOME")), "config.toml")
}

func names(shims []plan.Shim) []string {
	list := make([]string, len(shims))
	for i, s := range shims {
		list[i] = s.Name
	}
	return list
}

// farms are the identities of all farms that matter here.
func (u *user) farms() []plan.ID {
	root := ""
	if project, ok, err := u.project(); err == nil && ok {
		root = project.Root.Path
	}
	return shim.FarmIDs(u.dataDir(), "", root, u.get("PATH"))
}
