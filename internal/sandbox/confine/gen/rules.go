package gen

import (
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A rule is what happens to some system calls. A call without a rule is the kernel's
// business.
type rule struct {
	names string     // separated by blanks; one that an architecture lacks is skipped there
	errno unix.Errno // the answer to any such call
	judge judgement  // instead of errno: the arguments decide
	lift  lift
	text  string // what judge refuses, for people
}

// A judgement writes the code for a call whose arguments decide.
type judgement func(a *assembler, s plan.Seccomp) place

// A lift is what takes a rule away.
type lift uint8

const (
	never      lift = iota
	namespaces      // Seccomp.UserNamespaces
	mounts          // Seccomp.Mounts
	tracing         // Seccomp.Ptrace
	scope           // unless Seccomp.RefuseKillZero
)

func (r *rule) liftedBy(s plan.Seccomp) bool {
	switch r.lift {
	case namespaces:
		return s.UserNamespaces
	case mounts:
		return s.Mounts
	case tracing:
		return s.Ptrace
	case scope:
		return !s.RefuseKillZero
	}
	return false
}

const (
	priorityText = "priorities of the whole process group"
	modeText     = "set-id bits in the mode of a file"
	socketText   = "sockets but unix, inet, inet6 and netlink route"
)

// rules is the whole list. EPERM says "it exists and you may not"; ENOSYS says "this
// kernel has none", and is for calls whose users then take an older way.
var rules = []rule{
	// A namespace of one's own gives all capabilities in it, and with them the parts
	// of the kernel that ordinary programs never reach. clone3 has its flags behind a
	// pointer; a C library that hears EPERM instead of ENOSYS starts no thread.
	{names: "unshare setns chroot", errno: unix.EPERM, lift: namespaces},
	{names: "clone3", errno: unix.ENOSYS, lift: namespaces},
	{names: "clone", judge: newNamespaces, lift: namespaces, text: "clone into new namespaces"},

	// What is mounted is the first wall. The new calls hear ENOSYS, since their users
	// try mount(2) next and there learn the reason.
	{names: "mount umount2 pivot_root sethostname setdomainname", errno: unix.EPERM, lift: mounts},
	{names: "open_tree open_tree_attr move_mount fsopen fsconfig fsmount fspick mount_setattr", errno: unix.ENOSYS, lift: mounts},

	// Other processes: pid 1 is the launcher's child, and one command of a jail has no
	// business in the memory or descriptors of another. process_madvise can also mean
	// oneself, which the filter cannot see: a descriptor says whom. migrate_pages and
	// move_pages reach any process of the same user; mbind and set_mempolicy stay,
	// because a Java machine places its heap with them.
	// A debugger needs the first four; pid 1 cannot be dumped, so not traced either.
	{names: "ptrace process_vm_readv process_vm_writev kcmp", errno: unix.EPERM, lift: tracing},
	{names: "process_madvise pidfd_getfd", errno: unix.EPERM},
	{names: "migrate_pages move_pages", errno: unix.EPERM},

	// The session keyring is inherited and knows no namespace.
	{names: "add_key request_key keyctl", errno: unix.EPERM},

	// Requests in a ring are carried out by the kernel and pass no filter: a socket of
	// any family, a file of any mode. libuv and tokio fall back.
	{names: "io_uring_setup io_uring_enter io_uring_register", errno: unix.ENOSYS},

	// Code in the kernel, and the favourite tools for winning a race against it.
	{names: "bpf perf_event_open userfaultfd", errno: unix.EPERM},
	{names: "init_module finit_module delete_module create_module get_kernel_syms query_module", errno: unix.EPERM},
	{names: "kexec_load kexec_file_load", errno: unix.EPERM},

	// Hardware, as far as a processor lets a program have it, and what makes other
	// attacks easier: no random addresses, a readable zero page.
	{names: "iopl ioperm modify_ldt", errno: unix.EPERM},
	{names: "personality", judge: personality, text: "personality but for Linux and its 32 bits"},

	// The machine as a whole. adjtimex and clock_adjtime are missing on purpose: most
	// calls read the clock's error, what they want is behind a pointer, and to set
	// anything the kernel asks for CAP_SYS_TIME of the first namespace, which nothing
	// in a jail can have.
	{names: "settimeofday clock_settime reboot swapon swapoff acct", errno: unix.EPERM},
	{names: "quotactl quotactl_fd syslog vhangup", errno: unix.EPERM},

	// A file handle is a way to a file that passes by every mount. The kernel's own
	// check has been loosened for user namespaces before now.
	{names: "name_to_handle_at open_by_handle_at fanotify_init lookup_dcookie", errno: unix.EPERM},

	// Relics that no program of this century calls.
	{names: "uselib ustat nfsservctl", errno: unix.EPERM},

	// The terminal, and the process group that is shared with whoever typed there.
	{names: "ioctl", judge: typing, text: "ioctl TIOCSTI, TIOCLINUX and TIOCSETD"},
	{names: "kill", judge: ownGroup, lift: scope, text: "kill of the whole process group"},
	{names: "setpriority", judge: ownPriority(unix.PRIO_PGRP), text: priorityText},
	{names: "ioprio_set", judge: ownPriority(groupOfIO), text: priorityText},

	// Families of sockets, and the pipe that kernel events come through.
	{names: "socket", judge: socket, text: socketText},
	{names: "socketpair", judge: pair, text: socketText},
	{names: "pipe2", judge: notifications, text: "pipe2 with O_NOTIFICATION_PIPE"},

	// A set-id file in a project would let another account of this machine, outside,
	// act as its owner. A sandbox that may mount unpacks whole systems, which have
	// set-id files and whiteouts in them. mkdir drops these bits by itself.
	{names: "chmod fchmod creat", judge: modeAt(1), lift: mounts, text: modeText},
	{names: "fchmodat fchmodat2", judge: modeAt(2), lift: mounts, text: modeText},
	{names: "open", judge: openAt(1), lift: mounts, text: modeText},
	{names: "openat", judge: openAt(2), lift: mounts, text: modeText},
	// openat2 has its mode behind a pointer. Its users take openat where there is none.
	{names: "openat2", errno: unix.ENOSYS, lift: mounts},
	{names: "mknod", judge: nodeAt(1), lift: mounts, text: "device nodes"},
	{names: "mknodat", judge: nodeAt(2), lift: mounts, text: "device nodes"},
}
