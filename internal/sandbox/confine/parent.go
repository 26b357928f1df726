package confine

import "golang.org/x/sys/unix"

// killNumbers are the numbers of kill, and the architecture that they belong to.
func killNumbers(goarch string) (audit, kill uint32) {
	if goarch == "arm64" {
		return unix.AUDIT_ARCH_AARCH64, 129
	}
	return unix.AUDIT_ARCH_X86_64, 62
}

// parentLooksAlive stands before a filter: signal 0 to the process number parent is
// answered with success and goes nowhere. Whoever started the command may have told it
// its own number, as an editor tells a language server, which asks every few seconds
// whether that process is still there and ends itself when it is not. In the jail's pid
// namespace that number is nobody's. An errno of 0 is success, seccomp(2).
//
// The kernel works out beforehand which calls a filter allows whatever their arguments
// are. Architecture and number are compared first, so that all but kill stay among them.
func parentLooksAlive(parent uint32, goarch string) []unix.SockFilter {
	const architecture, number, pid, signal = 4, 0, 16, 24 // in struct seccomp_data; low halves
	audit, kill := killNumbers(goarch)
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	unlessEqual := func(k uint32, skip uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: skip, K: k}
	}
	return []unix.SockFilter{
		load(architecture), unlessEqual(audit, 7),
		load(number), unlessEqual(kill, 5),
		load(pid), unlessEqual(parent, 3),
		load(signal), unlessEqual(0, 1),
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO},
	}
}
