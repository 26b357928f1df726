// Package roots keeps the list of directories that are projects without a look at
// what lies in them: those that have been seen with a .ai-jail directory, which
// may have gone since, and those directly below a jail_below of the user's.
//
// It is one plain file, so that the shims read it in one go and the hooks of the
// shells with nothing but builtins:
//
//	jail roots 1 5f0c2a9e11d34b87
//	below /home/ada/src
//	root /home/ada/src/shop
//
// The number in the first line is another one after each change. After it comes a
// line for each entry, sorted: a kind, a blank, and a clean absolute path in which
// a backslash is written \\ and a newline \n. Who asks about a directory writes it
// in the same way and looks for the line; nothing is ever taken apart.
//
// An entry can only put a directory into a jail, never take one out. So a reader
// believes the file whoever wrote it, and refuses to go on where it cannot be read:
// an unreadable list must not mean that there is nothing in it.
//
// Start reading at List.Claim, then Update.
package roots
