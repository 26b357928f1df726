package confine

import (
	"jail/internal/sandbox/plan"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// naive says what a filter should answer, written from what the jail promises and
// not from the rules: a plain switch over names, with the numbers of the library.
func naive(s plan.Seccomp, goarch string, c call) verdict {
	table, audit := tableOf(goarch)
	if c.arch != audit {
		return errno(unix.ENOSYS)
	}
	if goarch == "amd64" && (c.nr >= x32Bit || c.nr >= 512 && c.nr <= 547) {
		return errno(unix.ENOSYS)
	}
	name, known := table.SyscallNumbers[int(c.nr)]
	if !known {
		return errno(unix.ENOSYS)
	}
	if v, done := naiveNames(s, name); done {
		return v
	}
	return naiveArguments(s, name, c)
}

func tableOf(goarch string) (*arch.Info, uint32) {
	if goarch == "arm64" {
		return arch.AARCH64, auditARM64
	}
	return arch.X86_64, auditAMD64
}

func naiveNames(s plan.Seccomp, name string) (verdict, bool) {
	switch name {
	case "clone3":
		return errno(unix.ENOSYS), !s.UserNamespaces
	case "unshare", "setns", "chroot":
		return errno(unix.EPERM), !s.UserNamespaces
	case "fsopen", "fsconfig", "fsmount", "fspick", "open_tree", "open_tree_attr", "move_mount", "mount_setattr":
		return errno(unix.ENOSYS), !s.Mounts
	case "openat2":
		return errno(unix.ENOSYS), !s.Mounts
	case "mount", "umount2", "pivot_root", "sethostname", "setdomainname":
		return errno(unix.EPERM), !s.Mounts
	case "io_uring_setup", "io_uring_enter", "io_uring_register":
		return errno(unix.ENOSYS), true
	case "ptrace", "process_vm_readv", "process_vm_writev", "kcmp":
		return errno(unix.EPERM), !s.Ptrace
	case "pidfd_getfd", "process_madvise",
		"migrate_pages", "move_pages",
		"keyctl", "add_key", "request_key",
		"bpf", "perf_event_open", "userfaultfd", "kexec_load", "kexec_file_load",
		"init_module", "finit_module", "delete_module", "create_module", "get_kernel_syms", "query_module",
		"iopl", "ioperm", "modify_ldt",
		"swapon", "swapoff", "quotactl", "quotactl_fd", "acct", "syslog", "reboot",
		"settimeofday", "clock_settime",
		"name_to_handle_at", "open_by_handle_at", "fanotify_init", "lookup_dcookie",
		"uselib", "ustat", "nfsservctl", "vhangup":
		return errno(unix.EPERM), true
	}
	return allowed, false
}

func naiveArguments(s plan.Seccomp, name string, c call) verdict {
	var arg [6]uint32
	for i, a := range c.args {
		arg[i] = uint32(a)
	}
	refused := false
	switch name {
	case "ioctl":
		refused = arg[1] == 0x5412 || arg[1] == 0x541C || arg[1] == 0x5423
	case "clone":
		refused = !s.UserNamespaces && arg[0]&0x7E020080 != 0
	case "personality":
		refused = arg[0] != 0 && arg[0] != 8 && arg[0] != 0x20000 && arg[0] != 0x20008 && arg[0] != 0xFFFFFFFF &&
			(!s.Ptrace || arg[0] != 0x40000 && arg[0] != 0x40008)
	case "pipe2":
		refused = arg[1]&0x80 != 0
	case "kill":
		refused = s.RefuseKillZero && arg[0] == 0
	case "setpriority":
		refused = arg[0] == 1 && arg[1] == 0
	case "ioprio_set":
		refused = arg[0] == 2 && arg[1] == 0
	case "socket":
		return naiveSocket(arg[0], arg[1], arg[2])
	case "socketpair":
		if arg[0] != 1 {
			return errno(unix.EAFNOSUPPORT)
		}
	default:
		refused = !s.Mounts && naiveMode(s, name, arg)
	}
	if refused {
		return errno(unix.EPERM)
	}
	return allowed
}

func naiveSocket(family, kind, protocol uint32) verdict {
	ok := false
	switch family {
	case 1: // AF_UNIX
		ok = true
	case 2: // AF_INET
		ok = kind&15 != 10 && protocol != 256
	case 10: // AF_INET6
		ok = protocol != 256
	case 16: // AF_NETLINK
		ok = protocol == 0
	}
	if ok {
		return allowed
	}
	return errno(unix.EAFNOSUPPORT)
}

// naiveMode reports whether a call would create a device or set a set-id bit.
func naiveMode(s plan.Seccomp, name string, arg [6]uint32) bool {
	setID := uint32(0o6000)
	if s.SetGroupID {
		setID = 0o4000
	}
	creates := func(flags uint32) bool { return flags&0o100 != 0 || flags&0o20000000 != 0 }
	device := func(mode uint32) bool { return mode>>12&15 == 2 || mode>>12&15 == 6 }
	switch name {
	case "chmod", "fchmod", "creat":
		return arg[1]&setID != 0
	case "fchmodat", "fchmodat2":
		return arg[2]&setID != 0
	case "open":
		return creates(arg[1]) && arg[2]&setID != 0
	case "openat":
		return creates(arg[2]) && arg[3]&setID != 0
	case "mknod":
		return device(arg[1]) || arg[1]&setID != 0
	case "mknodat":
		return device(arg[2]) || arg[2]&setID != 0
	}
	return false
}
