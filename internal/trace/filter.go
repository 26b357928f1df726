package trace

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data.
const (
	offsetNumber = 0
	offsetArch   = 4
)

// Filter returns the filter that stops the calls of the list and no others. A call
// of a foreign architecture is none of its business: the jail's own filter refuses
// those.
func Filter() []unix.SockFilter {
	all := calls()
	n := len(all)
	load := func(k uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: k}
	}
	equal := func(k uint32, then, otherwise int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jt: uint8(then), Jf: uint8(otherwise)}
	}
	code := []unix.SockFilter{load(offsetArch), equal(arch(), 0, n+1), load(offsetNumber)}
	for i, c := range all {
		code = append(code, equal(c.number, n-i, 0))
	}
	return append(code,
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
}

func arch() uint32 {
	if runtime.GOARCH == "arm64" {
		return unix.AUDIT_ARCH_AARCH64
	}
	return unix.AUDIT_ARCH_X86_64
}
