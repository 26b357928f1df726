// Package gitdir finds the directories without which git does not work in a project,
// and what in them the host believes.
//
// A linked worktree and a submodule have a file .git that names a directory
// elsewhere. Whoever made the project can write any name there, so nothing is
// believed before what it names points back: three files must agree, and all must be
// the caller's (outside.go). What git runs by itself, configuration and hooks, is to
// be read-only wherever it lies: of submodules and worktrees too (pins.go). Of a
// repository that the project is only a part of, all is to be read-only (above.go).
//
// The package reads and never writes, and starts no program: least of all git, which
// runs what a configuration says.
//
// Start reading at Find.
package gitdir
