package memory

// A Shelf is where the launches of one user leave what later ones must know: one
// file for each name, out of the reach of every jail.
type Shelf interface {
	// Read returns a file and its mark; nil and the zero Mark where there is none.
	// An error means that there is one, and that it cannot be read; the mark still
	// tells it from others.
	Read(name string) ([]byte, Mark, error)
	// Mark returns the mark of a file as it is now, zero where there is none.
	Mark(name string) (Mark, error)
	// Write puts a file in the place of whatever there is.
	Write(name string, text []byte) error
	// Swap does, unless the file that is there now has another mark than was; it
	// reports whether it did. Of several at the same time one succeeds.
	Swap(name string, was Mark, text []byte) (bool, error)
	// Names returns the names of all files.
	Names() ([]string, error)
	// Remove removes a file, whether or not there is one.
	Remove(name string)
}

// A Mark tells one state of a file from all others. Zero is that of no file.
type Mark struct {
	Ino          uint64
	Ctime, Stamp int64
}
