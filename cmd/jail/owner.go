package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"jail/internal/detect"
	"jail/internal/environ"
	"jail/internal/sandbox/plan"
)

// A jailed command of root has root's number and none of root's rights, so it
// cannot write the project of somebody else. With --as-owner the launcher becomes
// that somebody before it looks at anything else.

// asOwner replaces this process by a launcher that belongs to the project's owner.
// It returns only an error, or nil where the caller owns the project anyway.
//
// It is a new process image because of what this one has in its memory: root's
// whole environment, which every process of the owner's could read from it.
func (c *caller) asOwner(o options, project detect.Project) error {
	var st syscall.Stat_t
	if err := syscall.Stat(project.Root.Path, &st); err != nil {
		return fmt.Errorf("look at %q: %w", project.Root.Path, err)
	}
	switch {
	case st.Uid == c.owner.UID:
		return nil
	case c.owner.UID != 0:
		return &usageError{"--as-owner is for root, which alone can become somebody else", "sudo jail --as-owner COMMAND"}
	}
	account, ok := detect.PasswdAccount(int(st.Uid))
	gid, err := strconv.Atoi(account.GID)
	if !ok || err != nil {
		gid = int(st.Gid)
	}
	args, env := o.again(project.Root.Path), ownersEnvironment(c.env, o.policy.Env, account)
	if err := os.Chdir(c.typed); err != nil {
		return fmt.Errorf("go back: %w", err)
	}
	if err := keepOnly(detect.Descriptors(o.args[min(1, len(o.args)):], c.get("MAKEFLAGS"), c.get("NODE_CHANNEL_FD")).Keep); err != nil {
		return fmt.Errorf("close descriptors: %w", err)
	}
	if err := become(int(st.Uid), gid); err != nil {
		return fmt.Errorf("become uid %d: %w", st.Uid, err)
	}
	return fmt.Errorf("start again as uid %d: %w", st.Uid, syscall.Exec("/proc/self/exe", args, env))
}

// keepOnly has the exec close all above 2 but those of root's open files that the command
// is to have. Every process of the owner's can take what this one has open.
func keepOnly(keep []plan.Descriptor) error {
	if err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return err
	}
	for _, d := range keep {
		if _, err := unix.FcntlInt(uintptr(d.FD), unix.F_SETFD, 0); err != nil {
			return err
		}
	}
	return nil
}

// become gives up root for good, the groups first, while that is still allowed.
func become(uid, gid int) error {
	if err := syscall.Setgroups([]int{gid}); err != nil {
		return err
	}
	if err := syscall.Setresgid(gid, gid, gid); err != nil {
		return err
	}
	return syscall.Setresuid(uid, uid, uid)
}

// again is the command line of the launcher that follows. It is in the right
// directory already.
func (o *options) again(root string) []string {
	args := []string{"jail"}
	for _, w := range o.own {
		name, _, _ := strings.Cut(w, "=")
		switch name {
		case "--as-owner", "--chdir":
		case "--project":
			args = append(args, "--project="+root)
		default:
			args = append(args, w)
		}
	}
	return append(append(args, "--"), o.args...)
}

// ownersEnvironment is what of root's environment the owner may have: what a
// jailed command may, or what root names, and the owner's own name and home.
func ownersEnvironment(env, pass []string, a detect.Account) []string {
	var rules []plan.EnvRule
	for _, name := range pass {
		if !strings.Contains(name, "=") {
			rules = append(rules, plan.EnvRule{Name: name})
		}
	}
	kept, _ := environ.Judge(env, environ.Input{Rules: rules, Visible: func(string) bool { return true }})
	kept = slices.DeleteFunc(kept, func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		if slices.Contains(pass, name) {
			return false
		}
		switch name {
		case "HOME", "USER", "LOGNAME", "MAIL", "SUDO_USER", "SUDO_UID", "SUDO_GID", "SUDO_COMMAND",
			"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR":
			return true
		}
		return false
	})
	for _, v := range [...]struct{ name, value string }{{"HOME", a.Home}, {"USER", a.Name}, {"LOGNAME", a.Name}} {
		if v.value != "" && !slices.Contains(pass, v.name) {
			kept = append(kept, v.name+"="+v.value)
		}
	}
	return kept
}
