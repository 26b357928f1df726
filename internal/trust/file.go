package trust

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// maxEntry bounds what is read of an entry: some files of 64 KiB and their names.
const maxEntry = 1 << 20

// read returns an entry of the store, or ENOENT.
func read(dir int, name string) ([]byte, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(dir, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	if err := private(fd, unix.S_IFREG); err != nil {
		return nil, fmt.Errorf("%q %w", name, err)
	}
	data := make([]byte, 0, 4096)
	for {
		if len(data) > maxEntry {
			return nil, fmt.Errorf("%q is larger than %d bytes", name, maxEntry)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := retry(func() (int, error) { return unix.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return data, nil
		}
		data = data[:len(data)+n]
	}
}

// write replaces name by data at one moment: whoever reads sees the old entry or
// the new one, also after a crash.
func write(dir int, name string, data []byte) error {
	if len(data) > maxEntry {
		return fmt.Errorf("the files are larger than %d bytes", maxEntry)
	}
	fd, temporary, err := temp(dir)
	if err != nil {
		return err
	}
	err = fill(fd, data)
	if err == nil {
		err = unix.Renameat(dir, temporary, dir, name)
	}
	if err != nil {
		return errors.Join(err, unix.Unlinkat(dir, temporary, 0))
	}
	return syncDir(dir)
}

// temp makes a file that nobody has.
func temp(dir int) (fd int, name string, err error) {
	for i := range 1000 {
		name = fmt.Sprintf(".new-%d-%d", os.Getpid(), i)
		fd, err = retry(func() (int, error) {
			return unix.Openat(dir, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		})
		if !errors.Is(err, unix.EEXIST) {
			break
		}
	}
	return fd, name, err
}

// fill writes all of data to the disk and closes fd.
func fill(fd int, data []byte) error {
	var err error
	for len(data) > 0 && err == nil {
		var n int
		n, err = retry(func() (int, error) { return unix.Write(fd, data) })
		data = data[max(0, n):]
	}
	if err == nil {
		err = unix.Fsync(fd)
	}
	return errors.Join(err, unix.Close(fd))
}

// syncDir makes a rename or a removal last: an end of consent that a power cut
// undoes is none. Not every file system can.
func syncDir(dir int) error {
	if err := unix.Fsync(dir); err != nil && !errors.Is(err, unix.EINVAL) {
		return err
	}
	return nil
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}
