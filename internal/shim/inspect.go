package shim

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// A Condition is the state that a farm is in.
type Condition struct {
	Exists bool
	Old    bool     // its launcher is not the one that is installed
	NoExec bool     // nothing can be executed where it lies
	Faults []string // what a shell would pass over, or run in place of a shim; in words
}

// Inspect looks at the user's farm and changes nothing. A directory that belongs to
// others is an *UnsafeError.
func Inspect(dataDir, launcher string) (Condition, error) {
	var c Condition
	data, err := openData(dataDir, false)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer data.close()
	farm, err := data.sub("shims", false)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer farm.close()
	return farm.condition(launcher)
}

func (d directory) condition(launcher string) (Condition, error) {
	c := Condition{Exists: true}
	var fs unix.Statfs_t
	c.NoExec = unix.Fstatfs(d.fd, &fs) == nil && fs.Flags&unix.ST_NOEXEC != 0
	names, err := d.entries()
	if err != nil {
		return c, err
	}
	master, err := d.stat(copyName)
	if err != nil {
		c.Faults = append(c.Faults, fmt.Sprintf("%s is missing", copyName))
		return c, nil
	}
	slices.Sort(names)
	for _, name := range names {
		if fault := d.fault(name, &master); fault != "" {
			c.Faults = append(c.Faults, fault)
		}
	}
	c.Old = d.old(launcher)
	return c, nil
}

// fault says what is wrong with one entry of a farm.
func (d directory) fault(name string, master *unix.Stat_t) string {
	if name == stateName || name == lockName || name[0] == '.' && name != copyName {
		return ""
	}
	st, err := d.stat(name)
	switch {
	case err != nil:
		return ""
	case st.Mode&unix.S_IFMT == unix.S_IFLNK:
		return fmt.Sprintf("%q is a link", name)
	case st.Mode&unix.S_IFMT == unix.S_IFDIR:
		return ""
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return fmt.Sprintf("%q is no file", name)
	case st.Mode&0o100 == 0:
		return fmt.Sprintf("%q cannot be executed", name)
	case !isCopy(&st, master):
		return fmt.Sprintf("%q is another program", name)
	}
	return ""
}

// old reports whether the farm was made of another launcher. One that cannot be
// looked at is somebody else's finding.
func (d directory) old(launcher string) bool {
	f, err := os.Open(launcher)
	if err != nil {
		return false
	}
	defer f.Close()
	now, err := programStamp(int(f.Fd()))
	return err == nil && d.readState().launcher != now
}
