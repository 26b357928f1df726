// Package memory says how what one launch saw reaches the next. It is a type and
// nothing else, so that whoever looks at the host needs to know nothing about
// where jail keeps its own files.
package memory

// A Memory keeps what one launch saw for the next. Recall returns nil where there
// is nothing, or may be nil itself. Where Keep is nil, as in a dry run, nothing is
// to be written.
//
// Only jail's own user can write what Recall returns; it may still be cut off, of
// another version or of another project, so whoever reads it checks it.
type Memory struct {
	Recall func() []byte
	Keep   func([]byte)
}
