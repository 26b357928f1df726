// Package doctor finds what keeps commands from being jailed, or makes the jail
// weaker or slower than it could be, and says for each thing what to type.
//
// It is pure: Facts in, Findings out, so that a test can lower each fact by
// itself. Who collects the facts reads files and starts nothing; what only the
// running shell knows (aliases, functions, its table of commands) the shell must
// tell, and Words reads what it says.
//
// A finding is Wrong where commands that should be jailed are not, or are refused
// altogether. Everything else is a Note, and a machine with notes is healthy.
//
// Start reading at Examine.
package doctor
