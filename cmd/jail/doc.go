// Command jail runs one command in a jail.
//
// Called as jail it reads its own flags, up to the command's name and not
// beyond; called under another name, which is how a shim calls it, it runs the
// program of that name: jailed in a project, and as if it had not been there
// elsewhere.
//
// The package is wiring and words: what a command may see is decided in
// internal/config and internal/sandbox/plan, what this machine is in
// internal/detect, and internal/sandbox/launch makes the jail. It is also the
// only place where the environment is read.
package main
