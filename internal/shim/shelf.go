package shim

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/memory"
)

// A Shelf is the directory in which launches leave what later ones need to know.
// It is opened when it is first needed, and once: a launch reads several of its
// files. Reading goes without os.File, which would start Go's poller at every
// launch.
type Shelf struct {
	data string
	dir  directory
	open bool
}

// NewShelf returns the shelf in a data directory, whether or not it exists.
func NewShelf(dataDir string) *Shelf { return &Shelf{data: dataDir} }

// Close closes what was opened.
func (s *Shelf) Close() {
	if s.open {
		s.dir.close()
		s.open = false
	}
}

// maxFile is far more than a launch remembers, even of a project with 100,000
// directories. Whoever writes keeps well below it.
const maxFile = 64 << 20

func (s *Shelf) directory(create bool) (directory, error) {
	if s.open {
		return s.dir, nil
	}
	data, err := openData(s.data, create)
	if err != nil {
		return directory{}, err
	}
	defer data.close()
	if s.dir, err = data.sub("state", create); err != nil {
		return directory{}, err
	}
	s.open = true
	return s.dir, nil
}

// Read implements memory.Shelf.
func (s *Shelf) Read(name string) ([]byte, memory.Mark, error) {
	d, err := s.directory(false)
	if errors.Is(err, os.ErrNotExist) {
		return nil, memory.Mark{}, nil
	}
	if err != nil {
		return nil, memory.Mark{}, err
	}
	fd, err := unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err == unix.ENOENT {
		return nil, memory.Mark{}, nil
	}
	if err != nil {
		mark, _ := s.Mark(name)
		return nil, mark, s.failed("open", name, err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, memory.Mark{}, s.failed("stat", name, err)
	}
	mark := markOf(&st)
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size > maxFile {
		return nil, mark, s.failed("read", name, unix.EFBIG)
	}
	text := make([]byte, st.Size+1)
	n, err := unix.Read(fd, text)
	if err == nil && int64(n) != st.Size {
		err = unix.EIO
	}
	if err != nil {
		return nil, mark, s.failed("read", name, err)
	}
	return text[:n], mark, nil
}

func (s *Shelf) failed(act, name string, err error) error {
	return &os.PathError{Op: act, Path: filepath.Join(s.dir.path, name), Err: err}
}

func markOf(st *unix.Stat_t) memory.Mark {
	return memory.Mark{Ino: st.Ino, Ctime: st.Ctim.Nano(), Stamp: st.Mtim.Nano()}
}

// Mark implements memory.Shelf.
func (s *Shelf) Mark(name string) (memory.Mark, error) {
	d, err := s.directory(false)
	if err == nil {
		var st unix.Stat_t
		if err = unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err == nil {
			return markOf(&st), nil
		}
	}
	if errors.Is(err, os.ErrNotExist) {
		return memory.Mark{}, nil
	}
	return memory.Mark{}, err
}

// Write implements memory.Shelf.
func (s *Shelf) Write(name string, text []byte) error {
	d, err := s.directory(true)
	if err != nil {
		return err
	}
	return d.stamped(name, text)
}

// stamped is write, and gives the file a time of modification of its own within the
// second: the number of a file that is gone is given away at once, and the clock of
// a file system stands still for some milliseconds.
func (d directory) stamped(name string, data []byte) error {
	finished, err := d.fill(name, 0o600, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	at := unix.NsecToTimespec(time.Now().Unix()*int64(time.Second) + rand.Int64N(int64(time.Second)))
	if err := unix.UtimesNanoAt(d.fd, finished, []unix.Timespec{at, at}, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		_ = d.remove(finished)
		return &os.PathError{Op: "stamp", Path: filepath.Join(d.path, name), Err: err}
	}
	return d.rename(finished, name)
}

// Swap implements memory.Shelf.
func (s *Shelf) Swap(name string, was memory.Mark, text []byte) (bool, error) {
	d, err := s.directory(true)
	if err != nil {
		return false, err
	}
	unlock, err := d.lock()
	if err != nil {
		return false, err
	}
	defer unlock()
	if now, err := s.Mark(name); err != nil || now != was {
		return false, err
	}
	return true, d.stamped(name, text)
}

// Names implements memory.Shelf.
func (s *Shelf) Names() ([]string, error) {
	d, err := s.directory(false)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return d.entries()
}

// Remove implements memory.Shelf.
func (s *Shelf) Remove(name string) {
	if d, err := s.directory(false); err == nil {
		_ = d.remove(name)
	}
}
