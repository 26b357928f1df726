package confine

import (
	"testing"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// An argumentCase is one call by name; words are its arguments, 32 bits each.
type argumentCase struct {
	name  string
	words []uint64
	want  verdict
	s     plan.Seccomp
}

const (
	eperm  = verdict(unix.SECCOMP_RET_ERRNO) | verdict(unix.EPERM)
	enosys = verdict(unix.SECCOMP_RET_ERRNO) | verdict(unix.ENOSYS)
	eaf    = verdict(unix.SECCOMP_RET_ERRNO) | verdict(unix.EAFNOSUPPORT)

	noFD = 0xFFFFFF9C // AT_FDCWD
)

var argumentCases = []argumentCase{
	// T1 to T3: typing into the terminal.
	{name: "ioctl", words: []uint64{0, unix.TIOCSTI}, want: eperm},
	{name: "ioctl", words: []uint64{0, 0x541C}, want: eperm},
	{name: "ioctl", words: []uint64{0, 0x5423}, want: eperm},
	{name: "ioctl", words: []uint64{0, 0x5424}, want: allowed}, // TIOCGETD
	{name: "ioctl", words: []uint64{0, unix.TIOCGWINSZ}, want: allowed},
	{name: "ioctl", words: []uint64{unix.TIOCSTI, unix.TCGETS, unix.TIOCSTI}, want: allowed},
	{name: "ioctl", words: []uint64{0, 0}, want: allowed},

	// K4: namespaces by clone, and what threads and fork ask for.
	{name: "clone", words: []uint64{unix.CLONE_NEWUSER | uint64(unix.SIGCHLD)}, want: eperm},
	{name: "clone", words: []uint64{unix.CLONE_NEWNS}, want: eperm},
	{name: "clone", words: []uint64{unix.CLONE_NEWNET}, want: eperm},
	{name: "clone", words: []uint64{unix.CLONE_NEWPID}, want: eperm},
	{name: "clone", words: []uint64{unix.CLONE_NEWIPC}, want: eperm},
	{name: "clone", words: []uint64{unix.CLONE_NEWUTS}, want: eperm},
	{name: "clone", words: []uint64{unix.CLONE_NEWCGROUP}, want: eperm},
	{name: "clone", words: []uint64{unix.CLONE_NEWTIME}, want: eperm},
	{name: "clone", words: []uint64{uint64(unix.SIGCHLD)}, want: allowed},
	{name: "clone", words: []uint64{64}, want: allowed},       // the highest signal there is
	{name: "clone", words: []uint64{0x3D0F00}, want: allowed}, // a thread of glibc
	{name: "clone", words: []uint64{0x50F00}, want: allowed},  // a thread of Go
	{name: "clone", words: []uint64{0x4111}, want: allowed},   // vfork with CLONE_VM
	{name: "clone", words: []uint64{unix.CLONE_NEWUSER}, want: allowed, s: plan.Seccomp{UserNamespaces: true}},

	// K8: personality.
	{name: "personality", words: []uint64{0}, want: allowed},
	{name: "personality", words: []uint64{8}, want: allowed},
	{name: "personality", words: []uint64{0x20000}, want: allowed},
	{name: "personality", words: []uint64{0x20008}, want: allowed},
	{name: "personality", words: []uint64{0xFFFFFFFF}, want: allowed},
	{name: "personality", words: []uint64{0x40000}, want: eperm},
	{name: "personality", words: []uint64{0x40000}, want: allowed, s: plan.Seccomp{Ptrace: true}},
	{name: "personality", words: []uint64{0x40008}, want: allowed, s: plan.Seccomp{Ptrace: true}},
	{name: "personality", words: []uint64{0x100000}, want: eperm, s: plan.Seccomp{Ptrace: true}},
	{name: "ptrace", words: []uint64{unix.PTRACE_ATTACH, 1}, want: eperm},
	{name: "ptrace", words: []uint64{unix.PTRACE_ATTACH, 1}, want: allowed, s: plan.Seccomp{Ptrace: true}},
	{name: "pidfd_getfd", words: []uint64{3, 0}, want: eperm, s: plan.Seccomp{Ptrace: true}},
	{name: "perf_event_open", want: eperm, s: plan.Seccomp{Ptrace: true}},
	{name: "personality", words: []uint64{1}, want: eperm},

	// I9, I10: families of sockets.
	{name: "socket", words: []uint64{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC, 0}, want: allowed},
	{name: "socket", words: []uint64{unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_TCP}, want: allowed},
	{name: "socket", words: []uint64{unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP}, want: allowed},
	{name: "socket", words: []uint64{unix.AF_INET6, unix.SOCK_DGRAM | unix.SOCK_NONBLOCK, 0}, want: allowed},
	{name: "socket", words: []uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE}, want: allowed},
	{name: "socket", words: []uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_NETFILTER}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_UNSPEC, unix.SOCK_STREAM, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_VSOCK, unix.SOCK_STREAM, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_ALG, unix.SOCK_SEQPACKET, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_PACKET, unix.SOCK_RAW, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_INET, unix.SOCK_PACKET, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_INET, unix.SOCK_PACKET | unix.SOCK_NONBLOCK, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_SMC, unix.SOCK_STREAM, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_INET, unix.SOCK_STREAM, 256}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_INET6, unix.SOCK_STREAM, 256}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_BLUETOOTH, unix.SOCK_RAW, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_CAN, unix.SOCK_RAW, 1}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_TIPC, unix.SOCK_RDM, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_RDS, unix.SOCK_SEQPACKET, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_XDP, unix.SOCK_RAW, 0}, want: eaf},
	{name: "socket", words: []uint64{unix.AF_KCM, unix.SOCK_DGRAM, 0}, want: eaf},
	{name: "socketpair", words: []uint64{unix.AF_UNIX, unix.SOCK_STREAM, 0}, want: allowed},
	{name: "socketpair", words: []uint64{unix.AF_TIPC, unix.SOCK_STREAM, 0}, want: eaf},

	// I13: the pipe for kernel events.
	{name: "pipe2", words: []uint64{0, unix.O_CLOEXEC | unix.O_NONBLOCK}, want: allowed},
	{name: "pipe2", words: []uint64{0, unix.O_DIRECT}, want: allowed},
	{name: "pipe2", words: []uint64{0, unix.O_EXCL}, want: eperm},

	// S1: the caller's process group.
	{name: "kill", words: []uint64{0, 9}, want: allowed},
	{name: "kill", words: []uint64{0, 9}, want: eperm, s: plan.Seccomp{RefuseKillZero: true}},
	{name: "kill", words: []uint64{0xFFFFFFFF, 9}, want: allowed, s: plan.Seccomp{RefuseKillZero: true}},
	{name: "kill", words: []uint64{7, 0}, want: allowed, s: plan.Seccomp{RefuseKillZero: true}},
	{name: "tgkill", words: []uint64{0, 0, 9}, want: allowed, s: plan.Seccomp{RefuseKillZero: true}},
	{name: "setpriority", words: []uint64{unix.PRIO_PGRP, 0, 19}, want: eperm},
	{name: "setpriority", words: []uint64{unix.PRIO_PGRP, 7, 19}, want: allowed},
	{name: "setpriority", words: []uint64{unix.PRIO_PROCESS, 0, 19}, want: allowed},
	{name: "setpriority", words: []uint64{unix.PRIO_USER, 0, 19}, want: allowed},
	{name: "ioprio_set", words: []uint64{2, 0, 0x6000}, want: eperm},
	{name: "ioprio_set", words: []uint64{2, 7, 0x6000}, want: allowed},
	{name: "ioprio_set", words: []uint64{1, 0, 0x6000}, want: allowed},

	// F31: set-id bits.
	{name: "chmod", words: []uint64{0, 0o4755}, want: eperm},
	{name: "chmod", words: []uint64{0, 0o2755}, want: eperm},
	{name: "chmod", words: []uint64{0, 0o1777}, want: allowed},
	{name: "chmod", words: []uint64{0, 0o2755}, want: allowed, s: plan.Seccomp{SetGroupID: true}},
	{name: "chmod", words: []uint64{0, 0o4755}, want: eperm, s: plan.Seccomp{SetGroupID: true}},
	{name: "chmod", words: []uint64{0, 0o4755}, want: allowed, s: plan.Seccomp{UserNamespaces: true, Mounts: true}},
	{name: "fchmod", words: []uint64{3, 0o6777}, want: eperm},
	{name: "fchmod", words: []uint64{3, 0o777}, want: allowed},
	{name: "fchmodat", words: []uint64{noFD, 0, 0o4755}, want: eperm},
	{name: "fchmodat", words: []uint64{noFD, 0, 0o755}, want: allowed},
	{name: "fchmodat2", words: []uint64{noFD, 0, 0o2755, 0x100}, want: eperm},
	{name: "fchmodat2", words: []uint64{noFD, 0, 0o755, 0x100}, want: allowed},
	{name: "creat", words: []uint64{0, 0o4755}, want: eperm},
	{name: "creat", words: []uint64{0, 0o644}, want: allowed},
	{name: "open", words: []uint64{0, unix.O_CREAT | unix.O_WRONLY, 0o4755}, want: eperm},
	{name: "open", words: []uint64{0, unix.O_CREAT | unix.O_WRONLY, 0o644}, want: allowed},
	{name: "open", words: []uint64{0, unix.O_RDONLY, 0o4755}, want: allowed},
	{name: "openat", words: []uint64{noFD, 0, unix.O_CREAT, 0o2755}, want: eperm},
	{name: "openat", words: []uint64{noFD, 0, 0x410000 | unix.O_RDWR, 0o4755}, want: eperm}, // O_TMPFILE
	{name: "openat", words: []uint64{noFD, 0, unix.O_CREAT, 0o644}, want: allowed},
	{name: "openat", words: []uint64{noFD, 0, 0x10000, 0o6777}, want: allowed}, // O_DIRECTORY alone
	{name: "openat2", words: []uint64{noFD, 0, 0, 24}, want: enosys},

	// F30: devices; FIFOs, sockets and files can be made.
	{name: "mknod", words: []uint64{0, unix.S_IFCHR | 0o644, 0}, want: eperm}, // a whiteout
	{name: "mknod", words: []uint64{0, unix.S_IFBLK | 0o644, 0x800}, want: eperm},
	{name: "mknod", words: []uint64{0, unix.S_IFIFO | 0o644, 0}, want: allowed},
	{name: "mknod", words: []uint64{0, unix.S_IFREG | 0o4755, 0}, want: eperm},
	{name: "mknodat", words: []uint64{noFD, 0, unix.S_IFCHR | 0o644, 0x103}, want: eperm},
	{name: "mknodat", words: []uint64{noFD, 0, unix.S_IFBLK | 0o644, 0x103}, want: eperm},
	{name: "mknodat", words: []uint64{noFD, 0, unix.S_IFIFO | 0o644, 0}, want: allowed},
	{name: "mknodat", words: []uint64{noFD, 0, unix.S_IFSOCK | 0o755, 0}, want: allowed},
	{name: "mknodat", words: []uint64{noFD, 0, unix.S_IFREG | 0o644, 0}, want: allowed},
	{name: "mknodat", words: []uint64{noFD, 0, 0o644, 0}, want: allowed},
	{name: "mknodat", words: []uint64{noFD, 0, 0o4644, 0}, want: eperm},
	{name: "mknodat", words: []uint64{noFD, 0, unix.S_IFCHR, 0}, want: allowed, s: plan.Seccomp{UserNamespaces: true, Mounts: true}},
}

// TestArguments runs each case on both architectures, then with rubbish in the upper
// half of each argument in turn, which the kernel does not read.
func TestArguments(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64"} {
		table, audit := tableOf(goarch)
		for _, test := range argumentCases {
			nr, ok := table.SyscallNames[test.name]
			if !ok && goarch == "amd64" {
				t.Errorf("%s: no such call", test.name)
			}
			if !ok {
				continue
			}
			p := assemble(t, test.s, goarch)
			for upper := range 1 << 6 {
				c := call{arch: audit, nr: uint32(nr)}
				copy(c.args[:], test.words)
				for i := range c.args {
					if upper&(1<<i) != 0 {
						c.args[i] |= 0xDEADBEEF << 32
					}
				}
				if have := p.judge(t, c); have != test.want {
					t.Fatalf("%s %s %#x (%s): have %v, want %v", goarch, test.name, c.args, flags(test.s), have, test.want)
				}
			}
		}
	}
}
