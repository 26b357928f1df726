package later

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// What is read, at most.
const (
	maxText  = 1 << 20
	maxIndex = 256 << 20
	maxAll   = 512 << 20 // of all indexes together: a command can make any number
	maxNames = 1 << 16   // of a directory
)

var errNoFile = errors.New("no regular file, or a very large one")

// open opens what is there, and waits for nothing.
func (t *tree) open(name string, flags int) (f *os.File, err error) {
	err = t.insist(name, func() (err error) {
		f, err = t.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|flags, 0)
		return err
	})
	return f, err
}

// read reads a regular file. Anything else at its place is not waited for.
func (t *tree) read(name string, most int64) ([]byte, error) {
	f, err := t.open(name, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > most {
		return nil, errNoFile
	}
	b := make([]byte, fi.Size())
	n, err := io.ReadFull(f, b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return b[:n], err
}

// readIndex reads an index of git's, as long as all together are not too many.
func (t *tree) readIndex(name string) ([]byte, error) {
	b, err := t.read(name, min(maxIndex, t.indexes))
	t.indexes -= int64(len(b))
	return b, err
}

// list names what is in a directory, and reports whether that is all.
func (t *tree) list(dir string) (names []string, all bool) {
	f, err := t.open(dir, syscall.O_DIRECTORY)
	if errors.Is(err, fs.ErrPermission) && t.unlock(dir) {
		f, err = t.open(dir, syscall.O_DIRECTORY)
	}
	if err != nil {
		return nil, errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	}
	defer f.Close()
	names, err = f.Readdirnames(t.most)
	return names, (err == nil || err == io.EOF) && len(names) < t.most
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
