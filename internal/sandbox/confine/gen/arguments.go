package gen

import (
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// Constants that golang.org/x/sys/unix does not have, or has only for the
// architecture that is compiled for.
const (
	cloneNew         = 0x7E020080 // all CLONE_NEW* flags, linux/sched.h
	tioclinux        = 0x541C     // asm-generic/ioctls.h
	tiocsetd         = 0x5423
	notificationPipe = unix.O_EXCL
	addrNoRandomize  = 0x40000
	creating         = unix.O_CREAT | 0x400000 // and __O_TMPFILE without O_DIRECTORY
	socketTypes      = 0xF                     // SOCK_TYPE_MASK, linux/net.h
	protocolSMC      = 256                     // IPPROTO_SMC, Linux 6.11
	groupOfIO        = 2                       // IOPRIO_WHO_PGRP, linux/ioprio.h
)

// newNamespaces refuses clone with any flag for a namespace. The flags come first on
// both architectures. CLONE_NEWTIME shares a bit with the signal number, where no
// valid signal has it.
func newNamespaces(a *assembler, _ plan.Seccomp) place {
	return a.refuseBits(0, cloneNew)
}

// typing refuses the two requests that put words into a terminal as if they had been
// typed there, and TIOCSETD: with another line discipline the caller's terminal stays
// dead when the jail has gone, and the modules of such disciplines, which any process
// can have loaded, are a part of the kernel with a history (CVE-2017-2636, CVE-2023-6546).
func typing(a *assembler, _ plan.Seccomp) place {
	return a.argument(1, a.oneOf(a.refuse(unix.EPERM), a.allow(), unix.TIOCSTI, tioclinux, tiocsetd))
}

// personality lets through Linux, Linux for 32 bits, either with an old version
// number, and the question which one it is. A debugger wants its program at the same
// addresses each time.
func personality(a *assembler, s plan.Seccomp) place {
	known := []uint32{0, 8, 0x20000, 0x20008, 0xFFFFFFFF}
	if s.Ptrace {
		known = append(known, addrNoRandomize, addrNoRandomize|8)
	}
	return a.argument(0, a.oneOf(a.allow(), a.refuse(unix.EPERM), known...))
}

func notifications(a *assembler, _ plan.Seccomp) place {
	return a.refuseBits(1, notificationPipe)
}

func pair(a *assembler, _ plan.Seccomp) place {
	return a.argument(0, a.oneOf(a.allow(), a.refuse(unix.EAFNOSUPPORT), unix.AF_UNIX))
}

// socket lets through what programs talk by, and of netlink the one protocol that
// getifaddrs(3) needs. Every other family is a large part of the kernel that is
// loaded on demand, or a way to the host under a virtual machine (AF_VSOCK). Two
// more families answer to AF_INET: packets by an obsolete type, SMC by a protocol.
func socket(a *assembler, _ plan.Seccomp) place {
	no := a.refuse(unix.EAFNOSUPPORT)
	route := a.argument(2, a.equal(unix.NETLINK_ROUTE, a.allow(), no))
	protocol := a.argument(2, a.equal(protocolSMC, no, a.allow()))
	inet := a.masked(1, socketTypes, a.equal(unix.SOCK_PACKET, no, protocol))
	family := a.equal(unix.AF_NETLINK, route, no)
	family = a.equal(unix.AF_INET6, protocol, family)
	family = a.equal(unix.AF_INET, inet, family)
	return a.argument(0, a.equal(unix.AF_UNIX, a.allow(), family))
}

// ownGroup refuses kill(0, ...). At a terminal the command shares the process group
// of the jail's caller, and since that group is not looked up by a number, the pid
// namespace does not stop the signal. A group that has a number is inside.
//
// Of the calls that send signals only kill can do so. kill(-1) goes through the pid
// namespace; tkill, tgkill and rt_tgsigqueueinfo address threads and refuse 0;
// rt_sigqueueinfo looks 0 up and finds nobody; pidfd_send_signal needs a descriptor
// of the group's leader, who is outside.
func ownGroup(a *assembler, _ plan.Seccomp) place {
	return a.argument(0, a.equal(0, a.refuse(unix.EPERM), a.allow()))
}

// ownPriority refuses to change the priority of that same group by the number 0. A
// shell outside would feel it, whose user cannot raise the priority again, and
// Landlock's scope is for signals only.
func ownPriority(group uint32) judgement {
	return func(a *assembler, _ plan.Seccomp) place {
		who := a.argument(1, a.equal(0, a.refuse(unix.EPERM), a.allow()))
		return a.argument(0, a.equal(group, who, a.allow()))
	}
}

// setID returns the mode bits that are refused. In a directory that hands its group
// on, cp -p and shutil.copytree set S_ISGID again on directories that have it; the
// filter cannot tell a directory from a file.
func setID(s plan.Seccomp) uint32 {
	if s.SetGroupID {
		return unix.S_ISUID
	}
	return unix.S_ISUID | unix.S_ISGID
}

// modeAt judges the mode in argument arg.
func modeAt(arg uint32) judgement {
	return func(a *assembler, s plan.Seccomp) place { return a.refuseBits(arg, setID(s)) }
}

// openAt judges flags, and the mode behind them only where the flags say that there
// is one: elsewhere the register holds what was left in it.
func openAt(flags uint32) judgement {
	return func(a *assembler, s plan.Seccomp) place {
		mode := a.refuseBits(flags+1, setID(s))
		return a.argument(flags, a.anyBit(creating, mode, a.allow()))
	}
}

// nodeAt refuses devices beside set-id bits. The kernel asks for a capability, but
// not for the device 0:0, which overlayfs reads as "this file is deleted".
func nodeAt(mode uint32) judgement {
	return func(a *assembler, s plan.Seccomp) place {
		other := a.refuseBits(mode, setID(s))
		return a.masked(mode, unix.S_IFMT, a.oneOf(a.refuse(unix.EPERM), other, unix.S_IFCHR, unix.S_IFBLK))
	}
}

// refuseBits refuses a call whose argument arg has any bit of mask.
func (a *assembler) refuseBits(arg, mask uint32) place {
	return a.argument(arg, a.anyBit(mask, a.refuse(unix.EPERM), a.allow()))
}

// oneOf continues with yes where what was loaded is one of values.
func (a *assembler) oneOf(yes, no place, values ...uint32) place {
	for i := len(values) - 1; i >= 0; i-- {
		no = a.equal(values[i], yes, no)
	}
	return no
}
