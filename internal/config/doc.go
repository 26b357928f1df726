// Package config turns files and flags into one plan.Policy.
//
// Five layers are merged, each over the ones before it: what is built in, the
// user's file, the files of the projects from the outermost marker in, the
// variables that choose a stricter mode, and the flags. Every key is an ordered
// choice or a list, so that one rule serves them all: a layer that is not trusted
// can move a choice only towards its strict end, and can add only what hides.
// What else it asks for is left out, and one Note says so.
//
// Files are opened once and with suspicion (open.go). A file that is broken,
// unreadable, or not what it should be is an *Error and never means "no jail";
// two kinds of file are left aside with a Note instead: those below a marker that
// is not to be believed, and the file of another tool in the home.
//
// The package starts nothing, writes nothing, and reads no environment variable;
// whether one is set, and whether a file is trusted, it asks of its Input. The
// file system is asked for the files and for nothing else: that a map's source
// exists, and where links lead from it, is for package detect to see.
//
// Start reading at Load, then keys, which is the language of the files, then
// state.apply, which is the law.
package config
