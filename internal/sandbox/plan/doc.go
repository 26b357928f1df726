// Package plan decides what one command will get: Policy + Facts + Command in,
// a Plan out.
//
// It is pure. It opens no file, starts no process, asks no kernel and reads no
// clock; everything it knows of the host arrives in Facts, which package detect
// gathers. So the same input gives the same bytes, and a dry run prints the very
// value that a run executes.
//
// Start reading at Plan, then Build, then Validate.
package plan
