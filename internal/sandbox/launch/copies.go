package launch

import (
	"strconv"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// copies are the files of the store that show one path each: settings without
// their secrets, and what hides a file that git tracks.
const copies = store + "/copy" // and a number

// copy writes a file of its own for mt into the store, and returns its name.
func (m *mounter) copy(mt *plan.Mount) string {
	m.copies++
	name := copies + strconv.Itoa(m.copies)
	m.write(name, mt)
	return name
}

func (m *mounter) write(name string, mt *plan.Mount) {
	m.add("create", unix.SYS_OPENAT, root, name,
		unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint64(mt.Perm)).keep = scratch
	if len(mt.Data) > 0 {
		m.add("write", unix.SYS_WRITE, scratch, ptr(m.Program, &mt.Data[0]), len(mt.Data)).path = mt.Destination
	}
	if mt.Mtime != 0 {
		m.add("resize", unix.SYS_FTRUNCATE, scratch, mt.Size).path = mt.Destination
		at := []unix.Timespec{{Sec: mt.Mtime}, {Sec: mt.Mtime}}
		m.add("stamp", unix.SYS_UTIMENSAT, scratch, 0, ptr(m.Program, &at[0]), 0).path = mt.Destination
	}
	m.add("close", unix.SYS_CLOSE, scratch)
}
