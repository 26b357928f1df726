package mask

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Dirents are what getdents64 returned: for each name inode (8 bytes), offset (8),
// length of the record (2), type (1), and the name with a NUL.
type dirents []byte

// A dirent is one of them. Its name is good until the buffer is used again.
type dirent struct {
	ino  uint64
	typ  uint8 // DT_...
	name []byte
}

// next takes the next name into e, less "." and "..", and reports whether there was
// one.
func (b *dirents) next(e *dirent) (bool, error) {
	const header = 19
	for len(*b) > header {
		length := int(binary.NativeEndian.Uint16((*b)[16:]))
		if length <= header || length > len(*b) {
			return false, unix.EIO // no file system that we know; a loop without end otherwise
		}
		name := (*b)[header:length]
		if i := bytes.IndexByte(name, 0); i >= 0 {
			name = name[:i]
		}
		*e = dirent{binary.NativeEndian.Uint64(*b), (*b)[18], name}
		*b = (*b)[length:]
		if len(name) > 2 || string(name) != "." && string(name) != ".." && len(name) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// getdents reads into buf what comes next in a directory.
func getdents(f int, buf []byte) (dirents, error) {
	for {
		n, err := unix.Getdents(f, buf)
		if err == unix.EINTR {
			continue
		}
		return buf[:max(n, 0)], err
	}
}
