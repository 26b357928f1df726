package mask

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A stat is what statx(2) says of a file. Times are nanoseconds since 1970.
type stat struct {
	id           plan.ID
	typ          plan.Type
	mode, uid    uint32
	links        uint64
	size         int64
	mtime, ctime int64
	born         int64 // 0 where the file system does not say
}

// statAt looks at a name in the directory at, at a link itself and not through it.
func statAt(at int, name string, st *stat) error {
	b, err := unix.ByteSliceFromString(name)
	if err != nil {
		return err
	}
	return statx(at, b, unix.AT_SYMLINK_NOFOLLOW, st)
}

// statBytes is statAt for a name that ends in a zero byte: it makes no copy.
func statBytes(at int, name []byte, st *stat) error {
	return statx(at, name, unix.AT_SYMLINK_NOFOLLOW, st)
}

// statOf looks at what a descriptor is.
func statOf(f int, st *stat) error { return statx(f, []byte{0}, unix.AT_EMPTY_PATH, st) }

// statx asks for the birth time too: inode numbers are used again, and a file is
// known for the same by both. As stat(2) does, it mounts nothing by itself.
func statx(at int, name []byte, flags int, st *stat) error {
	const mask = unix.STATX_BASIC_STATS | unix.STATX_BTIME
	var x unix.Statx_t
	for {
		_, _, errno := unix.Syscall6(unix.SYS_STATX, uintptr(at), uintptr(unsafe.Pointer(&name[0])),
			uintptr(flags|unix.AT_NO_AUTOMOUNT), mask, uintptr(unsafe.Pointer(&x)), 0)
		if errno == 0 {
			break
		}
		if errno != unix.EINTR {
			return errno
		}
	}
	*st = stat{
		id:  plan.ID{Dev: unix.Mkdev(x.Dev_major, x.Dev_minor), Ino: x.Ino},
		typ: plan.TypeOf(uint32(x.Mode)), mode: uint32(x.Mode), uid: x.Uid, links: uint64(x.Nlink), size: int64(x.Size),
		mtime: nanoseconds(x.Mtime), ctime: nanoseconds(x.Ctime),
	}
	if x.Mask&unix.STATX_BTIME != 0 {
		st.born = nanoseconds(x.Btime)
	}
	return nil
}

func nanoseconds(t unix.StatxTimestamp) int64 { return t.Sec*1e9 + int64(t.Nsec) }
