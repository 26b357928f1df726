// Package gen assembles the seccomp filters, ahead of time: its output is
// programs.go in package confine, and nothing that is shipped imports it. What is
// refused and why stands in rules.go and arguments.go, and only there.
//
// The filters are made beforehand because a launch lasts some ten milliseconds. Go
// pages in code as it runs, so to assemble a filter in a process that has just
// started took 100 to 450 microseconds, against less than one to choose a finished
// one; and go-seccomp-bpf, whose tables of numbers are used, builds maps for 1.4
// milliseconds wherever it is imported. A tree of comparisons also installs faster than
// a list: the kernel compiles it, and tries it once for each number there is. On the
// same machine that took 25 microseconds more than for a filter of one instruction,
// and 130 more for a list of 100 calls.
//
// A filter is a deny list: a command that meets a refused call is told so by an errno
// and goes on. Four things hold for the whole program:
//
//   - The architecture is compared first. A process on amd64 can enter the kernel by
//     the gate of i386, where other numbers mean other calls; there, everything
//     answers ENOSYS. So do x32 and every number that the tables do not know, since
//     nobody has judged a call that is newer than they are.
//   - Arguments are compared by their low 32 bits: all that are looked at are read by
//     the kernel as 32 bits or fewer, or have their meaning there. TIOCSTI with
//     rubbish above is TIOCSTI to the kernel (CVE-2019-10063).
//   - What lies behind a pointer is out of reach, and could change after the filter
//     looked. clone3 hides its flags so and answers ENOSYS, upon which every C library
//     uses clone. openat2 hides its mode so, and answers the same: it would be the one
//     way to create a file with a set-id bit (docs/adr/0016).
//   - A call that is always allowed is allowed before any argument is looked at. Since
//     Linux 5.11 the kernel tries a new filter once for each number and never again
//     runs it for those (seccomp_cache_prepare in kernel/seccomp.c): read, write and
//     futex cost one look at a bitmap. jail needs 5.12.
//
// The assembler of go-seccomp-bpf is not used: it lets foreign architectures through,
// compares 64 bits, and skips a second rule for one call. The tests of package confine
// ask it for a second opinion on what has no arguments.
//
// Start reading at Filter, then rules.go.
package gen
