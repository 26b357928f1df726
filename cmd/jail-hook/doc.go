// Jail-hook is what a user calls to set jail up and to look at it; the launcher
// itself is jail.
//
// Its most important caller is a shell that is just starting:
//
//	eval "$(jail-hook init bash)"
//
// So whatever happens, what init and uninit print on stdout is code that the shell
// can evaluate, and everything that is meant for people goes to stderr.
//
// Start reading at run in main.go, then the verb.
package main
