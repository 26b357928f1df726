// Package version says which jail this is.
package version

// number is the release; it is the newest heading of CHANGELOG.md, which a test
// compares.
const number = "0.1.0"

// String returns the release.
func String() string { return number }
