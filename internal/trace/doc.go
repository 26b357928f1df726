// Package trace hears what a command asks the kernel for: paths, sockets, hosts. It
// is how jail --trace knows what was wanted and not got.
//
// A second seccomp filter in the jail stops each call of a short list and hands it to
// the launcher (seccomp_unotify(2)), which reads the path from the caller's memory,
// writes it down, and lets the call go on. Nothing is decided here: the kernel judges
// the call afterwards as it would have, and a command that changes the path in the
// meantime deceives only the list. It costs some ten microseconds a call, and nothing
// where it is off.
//
// What is written down is the command's own word, and the command may be hostile:
// names are bounded in length and number, and whoever prints them must quote them.
//
// Start reading at Serve.
package trace
