// Package confine turns a plan's Seccomp and Landlock into what the kernel takes:
// a filter of classic BPF, and a ruleset of rights in bits.
//
// It is pure. It makes no system call, starts nothing and reads no file, so that a
// dry run and a run hold the same value, and so that every branch of the filter
// can be tried in a virtual machine for a processor that is not here.
//
// # The filter
//
// It is a deny list: a command that meets a call refused here is told so by an
// errno and goes on. Why each call is refused stands beside it in rules.go; what
// is refused by its arguments is in arguments.go; assemble.go makes instructions
// of both. Four things hold for the whole program:
//
//   - The architecture is compared first. A process on amd64 can enter the kernel
//     by the gate of i386, where other numbers mean other calls; there, everything
//     answers ENOSYS. So do x32 and every number that the table of numbers does not
//     know, since nobody has judged a call that is newer than the table.
//   - Arguments are compared by their low 32 bits, and only those that the kernel
//     itself reads as 32 bits or fewer. TIOCSTI with rubbish above is TIOCSTI to
//     the kernel (CVE-2019-10063).
//   - What lies behind a pointer is out of reach, and could change after the filter
//     looked. clone3 hides its flags so and answers ENOSYS, upon which every C
//     library uses clone. openat2 hides its mode so and is let through, because
//     programs build their own safety on it: it remains the one way to create a file
//     with a set-id bit. Another account of the machine would have to run that file
//     to gain from it.
//   - No call whose answer is always yes has its arguments looked at. Since Linux
//     5.11 the kernel tries the filter once for each number when it is installed and
//     never again runs it for those (SECCOMP_ARCH_NATIVE, kernel/seccomp.c): read,
//     write and futex cost nothing.
//
// The numbers of the calls come from the tables of go-seccomp-bpf. Its own tables
// are maps that take over a millisecond to build at every start, so numbers.go
// holds the few that the rules name, and a test compares it with the source. Its
// assembler is not used either: it lets foreign architectures through and compares
// 64 bits. The tests use it as a second opinion.
//
// # The ruleset
//
// landlock.go is a table of rights by ABI and one function. go-landlock is the
// oracle of its tests: its own entry points restrict the process that calls them,
// and the launch has to restrict another.
//
// Start reading at Filter, then rules.go; and at Landlock.
package confine
