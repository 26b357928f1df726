package shim

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A directory is one of jail's own, held open. Everything below the data
// directory is reached from descriptor to descriptor, one component at a time
// and never through a link, so that nobody can lead a store or a farm elsewhere.
type directory struct {
	fd   int
	path string
}

// openData opens the data directory and creates it where create says so. The
// path to it may lead through links (a home often does); what it leads to must
// be the caller's alone.
func openData(path string, create bool) (directory, error) {
	if !filepath.IsAbs(path) {
		return directory{}, &UnsafeError{
			Path:  path,
			Cause: "no home directory is known, so there is no place for jail's own files",
			Hint:  "export XDG_DATA_HOME=/some/where",
		}
	}
	if err := checkHomeless(path); err != nil {
		return directory{}, err
	}
	if create {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return directory{}, fmt.Errorf("create data directory: %w", err)
		}
	}
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return directory{}, &os.PathError{Op: "open data directory", Path: path, Err: err}
	}
	return checked(directory{fd, path})
}

// checkHomeless refuses a data directory in one for everybody where others may
// move it away and put their own in its place.
func checkHomeless(path string) error {
	var st unix.Stat_t
	if filepath.Dir(path) != homeless || unix.Stat(homeless, &st) != nil || st.Mode&0o022 == 0 || st.Mode&unix.S_ISVTX != 0 {
		return nil
	}
	return &UnsafeError{Path: path, Cause: fmt.Sprintf("%q can be written by everybody and is not sticky", homeless), Hint: "sudo chmod +t " + homeless}
}

// sub opens the directory called name in d and creates it, for the caller alone,
// where create says so and it is missing.
func (d directory) sub(name string, create bool) (directory, error) {
	path := filepath.Join(d.path, name)
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Openat(d.fd, name, flags, 0)
	if err == unix.ENOENT && create {
		if err := unix.Mkdirat(d.fd, name, 0o700); err != nil && err != unix.EEXIST {
			return directory{}, &os.PathError{Op: "create", Path: path, Err: err}
		}
		fd, err = unix.Openat(d.fd, name, flags, 0)
	}
	switch {
	case err == unix.ENOTDIR || err == unix.ELOOP: // a link is ENOTDIR or ELOOP, by kernel version
		return directory{}, &UnsafeError{
			Path:  path,
			Cause: fmt.Sprintf("%q is not a directory", path),
			Hint:  "mv " + plan.Word(path) + " " + plan.Word(path+".away"),
		}
	case err != nil:
		return directory{}, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return checked(directory{fd, path})
}

// checked closes d and returns an error if it is not the caller's alone: what
// another user can write there, the caller would run.
func checked(d directory) (directory, error) {
	var st unix.Stat_t
	if err := unix.Fstat(d.fd, &st); err != nil {
		d.close()
		return directory{}, &os.PathError{Op: "stat", Path: d.path, Err: err}
	}
	if err := callersAlone(d.path, &st); err != nil {
		d.close()
		return directory{}, err
	}
	return d, nil
}

func callersAlone(path string, st *unix.Stat_t) error {
	switch {
	case st.Uid != uint32(os.Geteuid()):
		hint := fmt.Sprintf("sudo mv %s %s", plan.Word(path), plan.Word(path+".away"))
		if st.Uid == 0 { // of an earlier run under sudo; what another user made stays that user's
			hint = fmt.Sprintf("sudo chown -R %d %s", os.Geteuid(), plan.Word(path))
		}
		return &UnsafeError{
			Path:  path,
			Cause: fmt.Sprintf("%q belongs to user %d, not to you (%d)", path, st.Uid, os.Geteuid()),
			Hint:  hint,
		}
	case st.Mode&0o022 != 0:
		return &UnsafeError{
			Path:  path,
			Cause: fmt.Sprintf("%q can be written by others", path),
			Hint:  "chmod go-w " + plan.Word(path),
		}
	}
	return nil
}

func (d directory) close() { _ = unix.Close(d.fd) }

// stat looks at the entry called name, at a link itself and not through it.
func (d directory) stat(name string) (unix.Stat_t, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return st, &os.PathError{Op: "stat", Path: filepath.Join(d.path, name), Err: err}
	}
	return st, nil
}

// open opens the entry called name, never a link, and never waits for a FIFO.
func (d directory) open(name string, flags int, perm uint32) (*os.File, error) {
	path := filepath.Join(d.path, name)
	fd, err := unix.Openat(d.fd, name, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, perm)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// remove removes the file called name; one that is not there is no error.
func (d directory) remove(name string) error {
	if err := unix.Unlinkat(d.fd, name, 0); err != nil && err != unix.ENOENT {
		return &os.PathError{Op: "remove", Path: filepath.Join(d.path, name), Err: err}
	}
	return nil
}

// rename gives the file called name another name, over whatever had it.
func (d directory) rename(name, to string) error {
	if err := unix.Renameat(d.fd, name, d.fd, to); err != nil {
		return &os.PathError{Op: "rename", Path: filepath.Join(d.path, name), Err: err}
	}
	return nil
}

// write puts data into the file called name at once: a reader sees the old
// content or the new one.
func (d directory) write(name string, data []byte, perm uint32) error {
	finished, err := d.fill(name, perm, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return d.rename(finished, name)
}

// temporary returns a name for a file that is not finished. Another process may
// be at work in the same directory, with the same number in another container.
func temporary() string { return fmt.Sprintf(".new-%016x", rand.Uint64()) }

// fill writes a new file for name under a temporary name, which it returns. perm
// is set at the end, so that nobody runs or reads a half.
func (d directory) fill(name string, perm uint32, content func(*os.File) error) (string, error) {
	unfinished := temporary()
	f, err := d.open(unfinished, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err = content(f); err == nil {
		err = f.Chmod(os.FileMode(perm))
	}
	if err != nil {
		_ = d.remove(unfinished)
		return "", fmt.Errorf("write %q: %w", filepath.Join(d.path, name), err)
	}
	return unfinished, nil
}

// entries returns the names in d, in the order of the directory.
func (d directory) entries() ([]string, error) {
	f, err := d.open(".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", d.path, err)
	}
	return names, nil
}
