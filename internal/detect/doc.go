// Package detect finds out what this host is like: which project a directory
// belongs to, which program a name stands for, what the kernel can do, which
// files exist, and what the caller handed over.
//
// It reads and never writes, starts no program, and takes everything that the
// caller could lie about (a working directory, $HOME, MAKEFLAGS) as an argument,
// so that nothing in here is decided by a variable behind the caller's back.
// What it returns is plain data for package plan.
//
// Start reading at FindProject: it runs at every call of every shim.
package detect
