package trust

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A Store is the directory that holds consent, $XDG_DATA_HOME/jail/trust. The zero
// Store is of no use.
type Store struct {
	Dir string // absolute
}

// Allowed reports whether the user consents to exactly these files below root. A
// store that does not exist holds no consent; one that cannot be believed is an
// error.
func (s Store) Allowed(root string, files []File) (bool, error) {
	want, err := Sum(root, files)
	if err != nil || len(files) == 0 {
		return false, err
	}
	entry, err := s.load(root)
	return entry != nil && entry.sum == want, err
}

// Allow keeps consent to these files below root, in place of any earlier one.
func (s Store) Allow(root string, files []File) error {
	text, err := encode(root, files)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%q has no configuration to trust", root)
	}
	if err := s.create(); err != nil {
		return err
	}
	dir, err := s.open()
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	if err := write(dir, entryName(root), join(text)); err != nil {
		return fmt.Errorf("keep consent in %q: %w", s.Dir, err)
	}
	return nil
}

// Revoke ends consent for root and reports whether there was any.
func (s Store) Revoke(root string) (bool, error) {
	if err := check(root, nil); err != nil {
		return false, err
	}
	dir, err := s.open()
	if errors.Is(err, unix.ENOENT) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer unix.Close(dir)
	err = unix.Unlinkat(dir, entryName(root), 0)
	if errors.Is(err, unix.ENOENT) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("end consent in %q: %w", s.Dir, err)
	}
	return true, syncDir(dir)
}

// entryName is the file of a root: its path may be longer than a name can be, and
// hold what a name cannot.
func entryName(root string) string { return sum([]byte("root\n" + root)) }

// An entry is one file of the store.
type entry struct {
	sum   string
	files []File
}

// join puts the sum before what it is over.
func join(text []byte) []byte { return append([]byte(sum(text)+"\n"), text...) }

// load returns what is kept for root, or nil.
func (s Store) load(root string) (*entry, error) {
	dir, err := s.open()
	if errors.Is(err, unix.ENOENT) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer unix.Close(dir)
	data, err := read(dir, entryName(root))
	if errors.Is(err, unix.ENOENT) {
		return nil, nil
	}
	if err == nil {
		var e *entry
		if e, err = parse(data, root); err == nil {
			return e, nil
		}
	}
	return nil, fmt.Errorf("read consent for %q in %q: %w", root, s.Dir, err)
}

// parse believes an entry only whole: the sum must be that of the copy, and the
// copy that of the root.
func parse(data []byte, root string) (*entry, error) {
	const digits = 64
	if len(data) <= digits || data[digits] != '\n' || string(data[:digits]) != sum(data[digits+1:]) {
		return nil, errDamaged
	}
	path, files, err := decode(data[digits+1:])
	if err == nil && path != root {
		err = fmt.Errorf("it is for %q", path)
	}
	if err != nil {
		return nil, err
	}
	return &entry{sum: string(data[:digits]), files: files}, nil
}

// open returns the store's directory, or ENOENT where there is none.
func (s Store) open() (int, error) {
	if err := s.named(); err != nil {
		return -1, err
	}
	fd, err := retry(func() (int, error) {
		return unix.Open(s.Dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return -1, fmt.Errorf("open the store %q: %w", s.Dir, err)
	}
	if err := private(fd, unix.S_IFDIR); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("the store %q %w", s.Dir, err)
	}
	return fd, nil
}

// create makes the store, and what is missing above it, for the caller alone.
func (s Store) create() error {
	if err := s.named(); err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("make the store: %w", err)
	}
	return nil
}

// named refuses a place that depends on the working directory, which is a project.
func (s Store) named() error {
	if !filepath.IsAbs(s.Dir) {
		return fmt.Errorf("the store %q is not an absolute path", s.Dir)
	}
	return nil
}

// private says why what fd names cannot be believed.
func private(fd int, kind uint32) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	return inspect(&st, kind, uint32(os.Geteuid()))
}

// inspect refuses another type, another owner, and what others can write to.
func inspect(st *unix.Stat_t, kind, uid uint32) error {
	switch {
	case st.Mode&unix.S_IFMT != kind:
		return errors.New("is not a regular file")
	case st.Uid != uid:
		return fmt.Errorf("belongs to another user (uid %d)", st.Uid)
	case st.Mode&0o022 != 0:
		return fmt.Errorf("can be written by others (mode %04o)", st.Mode&0o7777)
	}
	return nil
}
