package roots

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// crowd is the number of roots beyond which those whose directories are gone are
// dropped when another one is added: temporary projects must not fill the list.
const crowd = 512

// Add keeps the roots, each with every path by which it was reached.
func Add(data string, paths ...string) error {
	return update(data, func(l List) List {
		all := l.All(Known)
		if len(all) >= crowd {
			all = slices.DeleteFunc(all, gone)
		}
		return l.with(Known, append(all, paths...))
	})
}

// Forget drops the paths, and reports which of them were there.
func Forget(data string, paths ...string) (had []string, err error) {
	err = update(data, func(l List) List {
		kept := l.All(Known)
		had = slices.DeleteFunc(slices.Clone(kept), func(p string) bool { return !slices.Contains(paths, p) })
		return l.with(Known, slices.DeleteFunc(kept, func(p string) bool { return slices.Contains(paths, p) }))
	})
	return had, err
}

// SetBelow makes dirs the directories below which everything is a project. A
// directory that is reached through a link is kept by both of its paths.
func SetBelow(data string, dirs []string) error {
	return update(data, func(l List) List { return l.with(Below, Spellings(dirs)) })
}

// Spellings returns dirs and what they are without links, sorted.
func Spellings(dirs []string) []string {
	all := slices.Clone(dirs)
	for _, dir := range dirs {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			all = append(all, real)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// update replaces the file below data by what change makes of it. Two commands
// that start at once must not lose each other's entry, so it is locked; a list in
// which nothing changes is not written.
func update(data string, change func(List) List) error {
	dir, err := open(data)
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	if err := lock(dir); err != nil {
		return fmt.Errorf("lock %q: %w", data, err)
	}
	text, err := read(dir, filepath.Base(Path(data)))
	if err != nil && err != unix.ENOENT {
		return &Error{Path(data), err}
	}
	before := List{text}
	after := change(before)
	if after.same(before) {
		return nil
	}
	if len(after.text) > maxSize {
		return &Error{Path(data), errSize}
	}
	if err := write(dir, filepath.Base(Path(data)), after); err != nil {
		return fmt.Errorf("write the known roots in %q: %w", Path(data), err)
	}
	return nil
}

// open opens jail's own directory. It must be the caller's alone: what another
// user could write there would be as good as the caller's word.
func open(data string) (int, error) {
	if !filepath.IsAbs(data) {
		return -1, fmt.Errorf("%q is no place for jail's own files", data)
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return -1, fmt.Errorf("create data directory: %w", err)
	}
	fd, err := unix.Open(data, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, &os.PathError{Op: "open data directory", Path: data, Err: err}
	}
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	switch {
	case err != nil:
	case st.Uid != uint32(os.Geteuid()):
		err = fmt.Errorf("%q belongs to user %d, not to you", data, st.Uid)
	case st.Mode&0o022 != 0:
		err = fmt.Errorf("%q can be written by others", data)
	default:
		return fd, nil
	}
	unix.Close(fd)
	return -1, err
}

// lock waits for others, but not for ever: a launch must not hang.
func lock(fd int) (err error) {
	for range 200 {
		if err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err != unix.EWOULDBLOCK && err != unix.EINTR {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

// write puts the list into the file called name at once, and gives that its second
// name. It is on the disk before it has one: an empty list after a power cut would
// refuse every command.
func write(dir int, name string, l List) error {
	unfinished := fmt.Sprintf(".new-%016x", rand.Uint64())
	fd, err := unix.Openat(dir, unfinished, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), unfinished)
	_, err = f.WriteString(l.text)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	// Where a filesystem has no hard links the hooks read the file at each prompt.
	twin := name + "." + l.serial()
	if err == nil {
		_ = unix.Linkat(dir, unfinished, dir, twin, 0)
		err = unix.Renameat(dir, unfinished, dir, name)
	}
	if err != nil {
		_ = unix.Unlinkat(dir, unfinished, 0)
		_ = unix.Unlinkat(dir, twin, 0)
		return err
	}
	forget(dir, name, twin)
	return nil
}

// forget removes the second names of the lists before this one. One that stays is
// another file than the list, so nobody takes it for this one.
func forget(dir int, name, twin string) {
	fd, err := unix.Openat(dir, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	d := os.NewFile(uintptr(fd), name)
	defer d.Close()
	entries, _ := d.Readdirnames(-1)
	for _, entry := range entries {
		if strings.HasPrefix(entry, name+".") && entry != twin {
			_ = unix.Unlinkat(dir, entry, 0)
		}
	}
}
