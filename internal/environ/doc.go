// Package environ decides which of the caller's variables a command gets.
//
// It is pure: the environment arrives as an argument, and what exists inside the
// jail is asked of a function. No value that it withholds appears in anything
// that it returns.
//
// Start reading at Judge.
package environ
