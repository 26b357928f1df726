// Package later looks, after a command has run, for what it left that the host may run
// later: without anybody's asking, at the next prompt, or by a name that means another
// program.
//
// What a prompt would run at once is undone: a .git, or a part of one, that was not
// there before and names something to run is renamed. All else is reported, since it
// is what honest commands write too, only not often.
//
// What was there before is known by the plan: what exists of it is a mount point, and
// read-only. So nothing is looked at before the command, but the scripts of a
// package.json. Afterwards it is some twenty questions to the kernel where nothing has
// changed; a file has if its time of change, which nobody can set, is not before the
// start. It does not search the project.
//
// The project belongs to whoever was in the jail: every path is opened below the root
// and out of it leads no link (os.Root), nothing but regular files is read, and of
// those not more than a bound.
//
// Start reading at Run.End.
package later
