// Package escape tries the ways out of a sandbox, of any sandbox, and says which
// are open.
//
// A way out is a row: a shell file in rows/, named by its place in the catalogue of
// attacks (F1, T2 ...), with up to four functions.
//
//	plant    on the host, before: lays out what is to be stolen or damaged
//	start    on the host: runs "$@", which is the sandbox with the attack in it
//	attack   inside: takes what it finds, and prints it
//	escaped  on the host, after: reports whether the host was changed
//
// Each row is tried without any sandbox first, in the same place: what does not
// succeed there proves nothing by failing inside. What counts is whether a word came
// out which plant hid, whether the host was changed, or whether the attack could
// prove that it had got what it wanted; never that something was refused. Two rows
// are canaries: they must come out of every sandbox, or the whole run counts for
// nothing.
//
// All of that happens in namespaces of its own: homes, /run and /mnt are empty file
// systems in memory, the network is a loopback with the addresses of the world on
// it, and processes that are killed by -1 are nobody else's. So a row may do what
// nobody would want to be done to a machine.
//
// Start reading at Run, then at rows/lib.sh.
package escape
