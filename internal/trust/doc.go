// Package trust keeps the user's consent to project configurations.
//
// Consent is to one exact content in one exact place: the SHA-256 over the
// project's canonical path and, for every file that is read from its .ai-jail/,
// the name, the length and the bytes. Any edit, move or copy ends it. Nothing else
// grants it: no prefix of a path, no variable, no sign of being in CI.
//
// The store is a directory of the user's own, one file for each project, which
// holds the sum and a copy of what it is over, so that a change can be shown. A
// store that somebody else could write to, or that is a link, is refused: an
// error, and never a yes.
//
// The package asks nobody and prints nothing; showing and asking is the caller's.
// Whoever uses it must hand over the very bytes that are parsed.
//
// Start reading at Store.Allowed, then encode.
package trust
