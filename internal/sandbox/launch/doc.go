// Package launch turns a plan.Plan into a running jail.
//
// It works in three parts, and exactly one Go process is started for them:
//
//	launcher                 child, pid 1 of the jail          command
//	--------                 ------------------------          -------
//	Lower: Plan -> Program
//	clone(NEWUSER|NEWPID|...) -> walks the Program:
//	catches signals              identity maps, mounts, pivot_root,
//	                             rlimits, capabilities, Landlock, seccomp
//	one byte on the sync pipe -> clone() -----------------------> chdir, execve
//	reads the status pipe   <-   reaps, passes signals on
//	Result                  <-   ends; the kernel kills the rest
//
// The child is forked from a Go program and has no Go runtime: no allocation, no
// stack growth, no scheduler. So everything that it needs is prepared before the
// fork, and all that it does is walk a table of system calls (Program). That
// table is the documentation, the golden test and what a dry run can print.
//
// Nothing here reads the environment, prints, or ends the process; Run returns a
// Result or an error, so that another program can use it.
//
// Start reading at Run, then Lower, then child.go.
package launch
