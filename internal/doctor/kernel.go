package doctor

import (
	"fmt"

	"jail/internal/sandbox/plan"
)

// kernel lowers each fact of the kernel to what is lost without it. What the
// launch cannot do without is Wrong.
func kernel(f *Facts) (found []Finding) {
	k := f.Kernel
	add := func(missing bool, id string, level Level, text, fix string) {
		if missing {
			found = append(found, Finding{id, level, text, fix})
		}
	}
	add(!k.MountAPI, "kernel-mounts", Wrong,
		fmt.Sprintf("this kernel (%s) lacks the calls by which a jail is mounted (Linux 5.12): every jailed command is refused", k.Release), "uname -r")
	add(!k.Seccomp, "kernel-seccomp", Wrong, "no seccomp filter can be loaded here: every jailed command is refused", "grep Seccomp /proc/self/status")
	const lsm = "cat /sys/kernel/security/lsm"
	switch abi := k.LandlockABI; {
	case abi == 0:
		add(true, "kernel-landlock", Note, "no Landlock: mounts and the filter stand alone, and nothing keeps a command from abstract sockets (X11, D-Bus, containerd)", lsm)
	case abi == 1:
		add(true, "kernel-landlock", Note, "Landlock of version 1 forbids renames between directories and is not used: mounts and the filter stand alone", "uname -r")
	case abi < 6:
		add(true, "kernel-landlock", Note, fmt.Sprintf("Landlock of version %d %s", abi, lost(abi)), "jail --no-net COMMAND")
	}
	add(!k.Openat2, "kernel-openat2", Note, "no openat2 (Linux 5.6): what a configuration maps into the project cannot be mounted", "uname -r")
	add(!k.CloseRange, "kernel-close-range", Note, "no close_range (Linux 5.11): a launch closes descriptors one by one", "uname -r")
	add(!k.CgroupNS, "kernel-cgroup", Note, "no cgroup namespace: a command sees the names of the host's control groups", "ls /proc/self/ns")
	return found
}

// lost says what a version of Landlock does not do, and the jail then does without.
func lost(abi int) string {
	text := "cannot fence signals and abstract sockets (X11, D-Bus, containerd) with the host's network"
	if abi < 5 {
		text = "does not judge ioctl on devices, and " + text
	}
	if abi < 3 {
		text = "does not judge truncation, " + text
	}
	return text
}

// A Host is what this machine allows.
type Host struct {
	MaxUserNS     int      // user.max_user_namespaces; -1: nobody knows
	UnprivUserNS  int      // kernel.unprivileged_userns_clone (Debian); -1: there is no such switch
	AppArmor      bool     // kernel.apparmor_restrict_unprivileged_userns is on
	ProfileJail   bool     // our profile for the launcher is installed
	ProfileShims  bool     // and that for the shims
	Root          bool     // the caller is root
	CoveredProc   []string // mounts below /proc: a container's
	WSL           bool
	WindowsOnPath int // entries of PATH below /mnt/c and the like
}

func host(f *Facts) (found []Finding) {
	h := f.Host
	if h.MaxUserNS == 0 {
		found = append(found, Finding{
			"userns-off", Wrong, "this system allows no user namespaces: every jailed command is refused", "sudo sysctl -w user.max_user_namespaces=15000",
		})
	}
	if h.UnprivUserNS == 0 && !h.Root {
		found = append(found, Finding{
			"userns-root", Wrong, "only root may make user namespaces here: every jailed command is refused", "sudo sysctl -w kernel.unprivileged_userns_clone=1",
		})
	}
	found = append(found, apparmor(f)...)
	if len(h.CoveredProc) > 0 {
		found = append(found, Finding{
			"proc-covered", Wrong,
			"parts of /proc are covered, as in a container, so the kernel refuses a fresh one: " + some(h.CoveredProc),
			"docker run --security-opt systempaths=unconfined ...",
		})
	}
	if h.WSL {
		found = append(found, wsl(f)...)
	}
	return found
}

// apparmor looks for the profiles by which a program may have a user namespace with
// capabilities, on Ubuntu 24.04 and later.
func apparmor(f *Facts) (found []Finding) {
	if !f.Host.AppArmor || f.Host.Root {
		return nil
	}
	install := func(name string) string {
		from := plan.Word(f.Profiles + "/" + name)
		return fmt.Sprintf("sudo install -m 644 %s /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/%s", from, name)
	}
	if !f.Host.ProfileJail {
		found = append(found, Finding{
			"apparmor-jail", Wrong, "AppArmor gives jail no capabilities in its user namespace, so every command is refused; a profile allows it", install("jail"),
		})
	}
	if !f.Host.ProfileShims {
		found = append(found, Finding{
			"apparmor-shims", Wrong, "AppArmor refuses the shims what it allows jail: they need a profile of their own, whose price is in it", install("jail-shims"),
		})
	}
	return found
}

func wsl(f *Facts) (found []Finding) {
	found = append(found, Finding{
		"wsl", Note, "this is WSL: programs of Windows run outside of every jail, and a jail cannot start them", "jail-hook bypass -- notepad.exe",
	})
	if n := f.Host.WindowsOnPath; n > 0 {
		found = append(found, Finding{
			"wsl-path", Note, fmt.Sprintf("%d entries of PATH lie on drives of Windows, where every look for a command is slow", n),
			`printf '[interop]\nappendWindowsPath = false\n' | sudo tee -a /etc/wsl.conf`,
		})
	}
	return found
}

// agents recommends shims on PATH for good where an agent is at work: it runs
// commands in shells that show no prompt.
func agents(f *Facts) []Finding {
	at, ok := f.hookLine()
	if len(f.Agents) == 0 || ok && always(at.text) {
		return nil
	}
	fix := initCode(f.Shell)
	if f.Shell == "" {
		fix = initCode("bash")
	}
	if ok {
		return []Finding{{
			"agent-prompt", Wrong,
			fmt.Sprintf("an agent is at work here (%s): its shells show no prompt, so only shims that are always on PATH catch what it starts", some(f.Agents)),
			fmt.Sprintf("sed -i --follow-symlinks '%ds/ init \\([a-z]*\\)/ init \\1 --always/' %s", at.line, plan.Word(at.file.Path)),
		}}
	}
	return []Finding{{
		"agent-prompt", Wrong,
		fmt.Sprintf("an agent is at work here (%s), and no hook keeps the shims on PATH for it", some(f.Agents)), alwaysCode(fix),
	}}
}
