// Package confine turns a plan's Seccomp and Landlock into what the kernel takes: a
// filter of classic BPF, and a ruleset of rights in bits.
//
// It is pure. It makes no system call, starts nothing and reads no file, so that a dry
// run and a run hold the same value, and every branch of a filter can be tried in a
// virtual machine for a processor that is not here. It has nothing to do when a program
// starts: no table is built, no map filled.
//
// The filters were assembled beforehand, by package gen, which says what is refused and
// why; programs.go is its output. After a change there, run go generate; a test compares.
// The tests of this package read the shipped programs and not the rules: they run them
// for every number by every gate, against a reading of the promises that was written
// apart from the rules, and install them for real. testdata/*.golden says in words what
// each filter does.
//
// Landlock is a table of rights by ABI and one function. The numbers of the rights are
// those of golang.org/x/sys/unix, which the launch has anyway. go-landlock has them too,
// but its own entry points restrict the process that calls them, where the launch
// restricts another; and for these it imports psx, which makes a dynamic binary of
// every build that has not turned cgo off: 3 milliseconds more at each start. Package
// oracle compares the two.
//
// Start reading at Filter and at Landlock.
package confine
