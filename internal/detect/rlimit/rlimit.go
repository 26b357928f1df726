// Package rlimit remembers the limit on open files that the caller had.
//
// Go raises the soft limit of RLIMIT_NOFILE to the hard one when package syscall
// is initialised, and puts it back only in its own fork and exec. The launcher
// forks by itself, and what it starts must find the caller's limit: select(2)
// breaks above 1024, and some daemons close every number below the limit.
//
// So this package has to look first. It imports nothing but unsafe, hence waits
// for nobody; Go initialises the packages that wait for nobody in the order of
// their import paths (go.dev/ref/spec, "Program initialization"), and "jail/..."
// sorts before "syscall". That is why this is a package of its own and must never
// import another one; its test fails if it does, or if the order ever changes.
package rlimit

import "unsafe"

// resourceNOFILE is RLIMIT_NOFILE, the same number on amd64 and arm64.
const resourceNOFILE = 7

// rawSyscall6 is syscall.RawSyscall6, reached by name because importing package
// syscall would make this package wait for it.
//
//go:linkname rawSyscall6 syscall.RawSyscall6
func rawSyscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2, errno uintptr)

// limits is written once, by ask. It is not a local variable of it because the
// kernel writes to an address that the garbage collector does not see, and a
// stack may move.
var limits [2]uint64

var known = ask()

func ask() bool {
	_, _, errno := rawSyscall6(sysPrlimit64, 0, resourceNOFILE, 0, uintptr(unsafe.Pointer(&limits)), 0, 0)
	return errno == 0
}

// NOFILE is the soft and the hard limit on open files as they were when the
// process started. It reports false if the kernel did not say.
func NOFILE() (soft, hard uint64, ok bool) {
	return limits[0], limits[1], known
}
