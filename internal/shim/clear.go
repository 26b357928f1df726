package shim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// trash begins the name of a directory beside the stores into which they are moved
// to be removed. No key of a root begins with a dot.
const trash = ".gone-"

// Clear removes the stores of one root. It reports whether there were any.
//
// What lies in a store was made by jailed commands, which may be running: names of
// any bytes, modes that nobody can read, trees deeper than any path, links to
// anywhere, directories that become links while one looks. So a store is moved
// aside first, everything is reached from descriptor to descriptor, no link is
// followed, and nothing is removed but what lies directly in a directory that is
// open.
func (s Store) Clear(root string) (bool, error) {
	return s.clear(func(all directory, gone *heap) error {
		store, err := all.sub(Key(root), false)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer store.close()
		if err := store.belongs(root, false); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return gone.take(all.fd, Key(root))
	})
}

// ClearCache removes one cache, by its name, from the stores of all roots and from
// those that they share.
func (s Store) ClearCache(name string) (bool, error) {
	return s.clear(func(all directory, gone *heap) error {
		keys, err := all.entries()
		for _, key := range keys {
			if err == nil && key[0] != '.' {
				err = all.takeCache(key, name, gone)
			}
		}
		return err
	})
}

func (d directory) takeCache(key, name string, gone *heap) error {
	store, err := d.sub(key, false)
	if err != nil {
		return err
	}
	defer store.close()
	return absent(gone.take(store.fd, name))
}

// ClearAll removes every store.
func (s Store) ClearAll() (bool, error) {
	return s.clear(func(all directory, gone *heap) error {
		keys, err := all.entries()
		for _, key := range keys {
			if err == nil && key != gone.name {
				err = gone.take(all.fd, key)
			}
		}
		return err
	})
}

// CacheNames returns the names of all caches, sorted.
func CacheNames() []string {
	var names []string
	for _, c := range caches() {
		names = append(names, c.Name)
	}
	return names
}

func (s Store) clear(move func(all directory, gone *heap) error) (bool, error) {
	all, err := s.all()
	if err != nil || all == nil {
		return false, err
	}
	defer all.close()
	gone, err := all.heap()
	if err != nil {
		return false, fmt.Errorf("clear caches: %w", err)
	}
	defer unix.Close(gone.fd)
	// What has been moved is removed even if something else could not be.
	err = move(*all, gone)
	had := gone.count > 0
	err = errors.Join(err, all.leftovers(gone), gone.empty())
	if err == nil {
		err = absent(unix.Unlinkat(all.fd, gone.name, unix.AT_REMOVEDIR))
	}
	if err != nil {
		return had, fmt.Errorf("clear caches in %q: %w", all.path, err)
	}
	return had, nil
}

// leftovers takes what an earlier Clear could not finish.
func (d directory) leftovers(gone *heap) error {
	entries, err := d.entries()
	for _, name := range entries {
		if err == nil && strings.HasPrefix(name, trash) && name != gone.name {
			err = absent(gone.take(d.fd, name))
		}
	}
	return err
}

// A heap is a directory whose entries are all to be removed.
type heap struct {
	fd    int
	name  string
	count int // of what has been moved here, for names of its own
}

func (d directory) heap() (*heap, error) {
	h := &heap{name: trash + strings.TrimPrefix(temporary(), ".new-")}
	if err := unix.Mkdirat(d.fd, h.name, 0o700); err != nil {
		return nil, &os.PathError{Op: "create", Path: filepath.Join(d.path, h.name), Err: err}
	}
	fd, err := unix.Openat(d.fd, h.name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	h.fd = fd
	return h, err
}

// take moves an entry of dir here. A directory must be writable itself for that.
func (h *heap) take(dir int, name string) error {
	to := fmt.Sprint(h.count + 1)
	err := unix.Renameat(dir, name, h.fd, to)
	if err == unix.EACCES {
		fd, openErr := openOwn(dir, name)
		if openErr != nil {
			return openErr
		}
		unix.Close(fd)
		err = unix.Renameat(dir, name, h.fd, to)
	}
	if err == nil {
		h.count++
	}
	return err
}

// empty removes everything. A tree is taken apart from its top: what is a directory
// in a directory is moved here, so that one level is open at a time however deep it
// goes.
func (h *heap) empty() error {
	for {
		names, err := names(h.fd)
		if err != nil || len(names) == 0 {
			return err
		}
		for _, name := range names {
			if err := h.remove(name); err != nil {
				return err
			}
		}
	}
}

func (h *heap) remove(name string) error {
	err := unix.Unlinkat(h.fd, name, 0)
	if err != unix.EISDIR && err != unix.EPERM { // POSIX has the second for a directory
		return absent(err)
	}
	fd, err := openOwn(h.fd, name)
	if err != nil {
		return absent(err)
	}
	defer unix.Close(fd)
	// A jail that still runs may put something into it meanwhile; not for ever.
	for range 100 {
		if err = unix.Unlinkat(h.fd, name, unix.AT_REMOVEDIR); err != unix.ENOTEMPTY {
			return absent(err)
		}
		if err = h.flatten(fd); err != nil {
			return err
		}
	}
	return err
}

// flatten removes the files of a directory and moves its directories here.
func (h *heap) flatten(dir int) error {
	for range 10000 {
		names, err := names(dir)
		if err != nil || len(names) == 0 {
			return err
		}
		for _, name := range names {
			if err := h.flattenEntry(dir, name); err != nil {
				return err
			}
		}
	}
	return errBusy
}

var errBusy = errors.New("something keeps writing there")

func (h *heap) flattenEntry(dir int, name string) error {
	err := unix.Unlinkat(dir, name, 0)
	if err != unix.EISDIR && err != unix.EPERM {
		return absent(err)
	}
	return absent(h.take(dir, name))
}

// absent passes over what somebody else has removed meanwhile.
func absent(err error) error {
	if err == unix.ENOENT {
		return nil
	}
	return err
}

// openOwn opens a directory, and gives its owner every right to it first. By its
// path that could hit what a link of the same name leads to; the entry of the
// descriptor in /proc is the directory itself.
func openOwn(dir int, name string) (int, error) {
	fd, err := unix.Openat(dir, name, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	defer unix.Close(fd)
	self := fmt.Sprintf("/proc/self/fd/%d", fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return -1, err
	}
	if st.Mode&0o700 != 0o700 {
		if err := unix.Chmod(self, 0o700); err != nil {
			return -1, err
		}
	}
	return unix.Open(self, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
}

// names returns some of the names in a directory, from its beginning.
func names(dir int) ([]string, error) {
	fd, err := unix.Openat(dir, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	some, err := f.Readdirnames(1024)
	if err == io.EOF {
		err = nil
	}
	return slices.Clip(some), err
}
