package later

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// What is read, at most.
const (
	maxText  = 1 << 20
	maxIndex = 64 << 20
	maxNames = 1 << 16 // of a directory
)

var errNoFile = errors.New("no regular file, or a very large one")

// read reads a regular file. Anything else at its place is not waited for.
func (t *tree) read(name string, most int64) ([]byte, error) {
	f, err := t.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > most {
		return nil, errNoFile
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// list names what is in a directory.
func (t *tree) list(dir string) []string {
	f, err := t.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxNames)
	return names
}

// readAtOnce reads a small file without package os, which would set up its polling
// for it, before each launch.
func readAtOnce(path string) (string, bool) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", false
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size > maxText {
		return "", false
	}
	b := make([]byte, st.Size)
	n, err := unix.Read(fd, b)
	return string(b[:max(n, 0)]), err == nil
}
