package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// A set is the directory that a run measures in.
type set struct {
	dir     string // everything lies below it
	project string
	env     []string
	mounts  int
}

// setUp makes a project of so many files and builds the programs.
func setUp(dir string, files int) (*set, error) {
	s := &set{dir: dir, project: filepath.Join(dir, "project")}
	s.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "LANG=C.UTF-8",
		"XDG_DATA_HOME=" + filepath.Join(dir, "data"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"),
	}
	if err := plant(s.project, files, 20); err != nil {
		return nil, err
	}
	for _, b := range [][]string{
		{"-o", s.bin("jail"), "./cmd/jail"},
		{"-tags=jail_bench", "-o", s.bin("variant/jail"), "./cmd/jail"},
		{"-o", s.bin("empty"), "./internal/bench/empty"},
		{"-o", s.bin("walk"), "./internal/bench/walk"},
	} {
		if out, err := exec.Command("go", slices.Concat([]string{"build", "-ldflags=-s -w"}, b)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build: %w\n%s", err, out)
		}
	}
	// A shim is the launcher under another name.
	if err := os.Mkdir(s.bin("shims"), 0o755); err != nil {
		return nil, err
	}
	return s, os.Link(s.bin("jail"), s.bin("shims/true"))
}

// plant makes a project of so many files, each directory with so many of them, and
// one secret.
func plant(root string, files, each int) error {
	if err := os.MkdirAll(filepath.Join(root, ".ai-jail"), 0o755); err != nil {
		return err
	}
	for i := range files {
		sub := filepath.Join(root, "src", fmt.Sprintf("d%d", i/each))
		if i%each == 0 {
			if err := os.MkdirAll(sub, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%d.js", i)), nil, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(root, ".env"), []byte("A=1\n"), 0o600)
}

func (s *set) bin(name string) string { return filepath.Join(s.dir, "bin", name) }

// contenders are the commands of a round. What is not installed is left out.
func (s *set) contenders() ([]contender, error) {
	bwrap, err := s.bubblewrap()
	if err != nil {
		return nil, err
	}
	without := func(wall string) []string { return append(slices.Clone(s.env), "JAIL_BENCH_WITHOUT="+wall) }
	all := []contender{
		{name: "true", args: []string{"/usr/bin/true"}, env: s.env, dir: s.project},
		{name: "a Go program", args: []string{s.bin("empty")}, env: s.env, dir: s.project},
		{name: "jail", args: []string{s.bin("variant/jail"), "true"}, env: s.env, dir: s.project},
		{name: "jail, no Landlock", args: []string{s.bin("variant/jail"), "true"}, env: without("landlock"), dir: s.project},
		{name: "jail, no seccomp", args: []string{s.bin("variant/jail"), "true"}, env: without("seccomp"), dir: s.project},
		{name: "shim outside", args: []string{s.bin("shims/true")}, env: s.env, dir: "/usr"},
	}
	if bwrap != nil {
		all = append(all, contender{name: "bwrap", args: bwrap, env: s.env, dir: s.project})
	}
	if f, ok := program("firejail"); ok {
		all = append(all,
			contender{name: "firejail", args: []string{f, "--quiet", "true"}, env: s.env, dir: s.project},
			contender{name: "firejail --noprofile", args: []string{f, "--quiet", "--noprofile", "true"}, env: s.env, dir: s.project})
	}
	return all, nil
}

// bubblewrap is bwrap with the very mounts of the plan, as the dry run says them,
// and the same namespaces; without Landlock, without a filter.
func (s *set) bubblewrap() ([]string, error) {
	// Once for real, so that the stores of the caches exist.
	if err := s.command("true").Run(); err != nil {
		return nil, fmt.Errorf("run jail: %w", err)
	}
	out, err := s.command("--dry-run", "--json", "true").Output()
	if err != nil {
		return nil, fmt.Errorf("run jail --dry-run: %w", err)
	}
	var p struct {
		Cwd    string
		Mounts []mount
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return nil, err
	}
	s.mounts = len(p.Mounts)
	path, ok := program("bwrap")
	if !ok {
		return nil, nil
	}
	empty := filepath.Join(s.dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		return nil, err
	}
	args := []string{path, "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup", "--die-with-parent"}
	for _, m := range p.Mounts {
		args = append(args, m.bubblewrap(empty)...)
	}
	return append(args, "--chdir", p.Cwd, "/usr/bin/true"), nil
}

func (s *set) command(args ...string) *exec.Cmd {
	c := exec.Command(s.bin("jail"), args...)
	c.Dir, c.Env, c.Stderr = s.project, s.env, os.Stderr
	return c
}

// A mount is one of the dry run's.
type mount struct{ Kind, Access, Source, Destination string }

// bubblewrap is the same mount in bwrap's words. What it makes of itself in /dev
// and /proc is left to it.
func (m mount) bubblewrap(empty string) []string {
	switch m.Kind {
	case "bind":
		if m.Access == "read" {
			return []string{"--ro-bind", m.Source, m.Destination}
		}
		return []string{"--dev-bind", m.Source, m.Destination}
	case "pin":
		return []string{"--ro-bind", m.Destination, m.Destination}
	case "tmpfs":
		return []string{"--tmpfs", m.Destination}
	case "proc":
		return []string{"--proc", m.Destination}
	case "devpts":
		return []string{"--tmpfs", m.Destination} // bwrap makes one only as a part of --dev
	case "link":
		return []string{"--symlink", m.Source, m.Destination}
	case "dir":
		return []string{"--dir", m.Destination}
	case "mask", "deny":
		if i, err := os.Lstat(m.Destination); err == nil && i.IsDir() {
			return []string{"--ro-bind", empty, m.Destination}
		}
		return []string{"--ro-bind", os.DevNull, m.Destination}
	}
	return nil
}
