// Command probe tries one thing and prints what the kernel said.
//
// It is what the tests of the jail attack with. Each probe is a name and a few
// arguments; its answer is one line on stdout, "NAME: ok ..." and status 0 where
// the kernel did it, "NAME: EPERM" and status 1 where it did not, and status 2
// where the question made no sense. A probe knows nothing about jails: run it
// outside first, where it must answer ok, or its refusal inside proves nothing.
//
// It is static and needs no other file, so that it runs in any view of the file
// system. What it starts, and what it waits for, is bounded.
//
// Start reading at probes in main.go.
package main
