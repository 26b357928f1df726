package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/doctor"
	"jail/internal/environ/secret"
	"jail/internal/sandbox/plan"
)

// shellFacts finds out which shell called, and reads its start-up files.
func (u *user) shellFacts(f *doctor.Facts) {
	f.Shell = u.shell()
	home := u.directory("HOME", u.home)
	at := func(dir string, names ...string) (files []doctor.File) {
		for _, name := range names {
			files = append(files, file(filepath.Join(dir, name)))
		}
		return files
	}
	switch f.Shell {
	case "bash":
		f.Startup, f.Login = at(home, ".bashrc"), at(home, ".bash_profile", ".bash_login", ".profile")
	case "zsh":
		dir := u.directory("ZDOTDIR", home)
		f.Startup = at(dir, ".zshrc", ".zshenv", ".zprofile")
	case "fish":
		dir := u.directory("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
		f.Startup = at(dir, "fish/config.fish")
		more, _ := filepath.Glob(filepath.Join(dir, "fish/conf.d/*.fish"))
		for _, m := range more {
			f.Startup = append(f.Startup, file(m))
		}
	}
	for _, s := range slices.Clone(f.Startup) {
		f.Startup = append(f.Startup, sourced(s.Text, home)...)
	}
}

// directory is what a variable names, or otherwise.
func (u *user) directory(variable, otherwise string) string {
	if dir := u.get(variable); filepath.IsAbs(dir) {
		return dir
	}
	return otherwise
}

// sourced reads the files that a start-up file names outright: many people keep
// their own lines in one of those.
func sourced(text, home string) (files []doctor.File) {
	for line := range strings.Lines(text) {
		fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n;&|", r) })
		for i, word := range fields {
			if i+1 == len(fields) || word != "." && word != "source" {
				continue
			}
			path := strings.Trim(fields[i+1], `"'`)
			for _, short := range []string{"~/", "$HOME/", "${HOME}/"} {
				if rest, ok := strings.CutPrefix(path, short); ok {
					path = filepath.Join(home, rest)
				}
			}
			if f := file(path); filepath.IsAbs(path) && f.Exists {
				files = append(files, f)
			}
		}
	}
	return files
}

// shell is the name of the shell that called, or else that of the user's own.
func (u *user) shell() string {
	comm, _ := os.ReadFile("/proc/" + strconv.Itoa(os.Getppid()) + "/comm")
	for _, name := range []string{strings.TrimSpace(string(comm)), filepath.Base(u.get("SHELL"))} {
		if name = strings.TrimPrefix(name, "-"); name == "bash" || name == "zsh" || name == "fish" {
			return name
		}
	}
	return ""
}

// agents are the variables by which agents and editors' terminals are known. What
// holds a key is set by people too.
func (u *user) agents() (found []string) {
	for _, entry := range u.env {
		name, _, _ := strings.Cut(entry, "=")
		if _, key := secret.Name(name); key {
			continue
		}
		for _, prefix := range []string{"CLAUDECODE", "CLAUDE_CODE_", "CODEX_", "CURSOR_", "GEMINI_", "HERMES_", "OPENCODE", "AIDER_", "CLINE_", "COPILOT_AGENT"} {
			if strings.HasPrefix(name, prefix) {
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func (u *user) hostFacts() doctor.Host {
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	h := doctor.Host{
		MaxUserNS: sysctl("user/max_user_namespaces"), UnprivUserNS: sysctl("kernel/unprivileged_userns_clone"),
		AppArmor: sysctl("kernel/apparmor_restrict_unprivileged_userns") == 1,
		Root:     u.uid == 0, WSL: bytes.Contains(bytes.ToLower(release), []byte("microsoft")),
		ProfileJail: file("/etc/apparmor.d/jail").Exists, ProfileShims: file("/etc/apparmor.d/jail-shims").Exists,
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	h.CoveredProc = coveredProc(string(mounts))
	for _, entry := range filepath.SplitList(u.get("PATH")) {
		parts := strings.Split(entry, "/")
		if h.WSL && len(parts) > 3 && parts[1] == "mnt" && len(parts[2]) == 1 {
			h.WindowsOnPath++
		}
	}
	return h
}

// sysctl reads a number below /proc/sys, -1 where there is none.
func sysctl(name string) int {
	text, err := os.ReadFile("/proc/sys/" + name)
	if n, bad := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && bad == nil {
		return n
	}
	return -1
}

// coveredProc lists the mounts on parts of /proc, but for the one that every system
// has on a directory that is always empty.
func coveredProc(mountinfo string) (covered []string) {
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		if len(fields) > 4 && plan.Below(fields[4], "/proc") && fields[4] != "/proc" && fields[4] != "/proc/sys/fs/binfmt_misc" {
			covered = append(covered, fields[4])
		}
	}
	slices.Sort(covered)
	return slices.Compact(covered)
}

// profiles is where the AppArmor profiles that we ship lie: beside the program that
// was installed, or in the source.
func profiles() string {
	if self, err := os.Executable(); err == nil {
		dir := filepath.Join(filepath.Dir(filepath.Dir(self)), "share/jail/apparmor")
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return "packaging/apparmor"
}

// slowFS names a file system on which each look costs a journey, and measures how
// long one takes there.
func slowFS(dir string) (name string, microseconds int) {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return "", 0
	}
	name = map[int64]string{
		unix.V9FS_MAGIC: "9p (a drive of Windows, or of a virtual machine's host)", unix.NFS_SUPER_MAGIC: "NFS",
		unix.FUSE_SUPER_MAGIC: "FUSE", unix.CIFS_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB", unix.CEPH_SUPER_MAGIC: "Ceph",
		unix.AFS_SUPER_MAGIC: "AFS",
	}[int64(fs.Type)]
	if name == "" {
		return "", 0
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return name, 0
	}
	entries = entries[:min(len(entries), 64)]
	var st unix.Stat_t
	start := time.Now()
	for _, e := range entries {
		_ = unix.Lstat(filepath.Join(dir, e.Name()), &st)
	}
	return name, int(time.Since(start).Microseconds()) / len(entries)
}
