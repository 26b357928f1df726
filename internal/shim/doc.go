// Package shim knows the commands that are jailed when they are typed by their
// bare names: which names there are, which caches each of them keeps, the farm
// of shims that catches them on PATH, and how a shim hands over to the real
// program where there is no project.
//
// A shim is the launcher under another name. It decides by itself, each time,
// and never by a variable: the functions here take the environment as an
// argument so that it is plain to see what is read from it. A shim that has no
// project to jail replaces itself with the real program; nothing in this package
// runs a program and waits for it.
//
// Start reading at Install for the farm, at Outside for what a shim does.
package shim
