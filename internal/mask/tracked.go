package mask

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// Tracked returns the hits that git tracks: a mask hides the file, and the history
// still shows what was in it. It reads the index, a file such as .git/index, and
// starts no program; worktree is the directory whose files that index lists. An
// index that does not exist tracks nothing. One that is split names only a part.
//
// An index of a hundred thousand files has ten megabytes, so this is no question
// for every launch.
func Tracked(index, worktree string, hits []plan.Hit) ([]plan.Hit, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	data, err := readIndex(index)
	if errors.Is(err, unix.ENOENT) {
		return nil, nil
	}
	var out []plan.Hit
	if err == nil {
		out, err = trackedIn(data, worktree, hits)
	}
	if err != nil {
		return nil, fmt.Errorf("read git's index %q: %w", index, err)
	}
	return out, nil
}

// trackedIn is Tracked for what an index holds.
func trackedIn(data []byte, worktree string, hits []plan.Hit) (out []plan.Hit, err error) {
	wanted := map[string]int{}
	for i, h := range hits {
		if h.Path != worktree && plan.Below(h.Path, worktree) {
			wanted[relative(h.Path, worktree)] = i
		}
	}
	tracked := make([]bool, len(hits))
	see := func(path []byte) {
		// A hidden directory is tracked if anything in it is.
		for i := range path {
			if path[i] == '/' {
				mark(tracked, wanted, path[:i])
			}
		}
		mark(tracked, wanted, path)
	}
	// What comes before a path depends on the length of an object's name, and the
	// index does not say which it is.
	if err = eachPath(data, 20, see); err != nil {
		err = eachPath(data, 32, see)
	}
	for i, h := range hits {
		if tracked[i] {
			out = append(out, h)
		}
	}
	return out, err
}

func mark(tracked []bool, wanted map[string]int, path []byte) {
	if i, found := wanted[string(path)]; found {
		tracked[i] = true
	}
}

// maxIndex is more than the index of any repository that one can work in.
const maxIndex = 512 << 20

func readIndex(path string) ([]byte, error) {
	fd, err := openat(unix.AT_FDCWD, path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > maxIndex {
		return nil, errors.New("it is no regular file, or too large")
	}
	return io.ReadAll(io.LimitReader(f, maxIndex))
}

var errIndex = errors.New("its format is not known")

// Submodules returns the paths of an index that stand for a repository of their own,
// whose configuration git reads at every look at the one around it. An index may make
// sense with both lengths of an object's name, and git knows which it is.
func Submodules(index []byte) (paths []string, err error) {
	if !bytes.Contains(index, []byte{0, 0, gitlink >> 8, gitlink & 0xff}) {
		return nil, nil // which most have none of, and some are long
	}
	found := false
	for _, hash := range []int{20, 32} {
		var some []string
		err = eachEntry(index, hash, func(mode uint32, path []byte) {
			if mode == gitlink {
				some = append(some, string(path))
			}
		})
		if err == nil {
			paths, found = append(paths, some...), true
		}
	}
	if found {
		return paths, nil
	}
	return nil, err
}

// gitlink is the mode of such an entry.
const gitlink = 0o160000

// eachPath calls see for each path of an index.
func eachPath(data []byte, hash int, see func(path []byte)) error {
	return eachEntry(data, hash, func(_ uint32, path []byte) { see(path) })
}

// eachEntry calls see for each entry of an index, as gitformat-index(5) lays it out.
func eachEntry(data []byte, hash int, see func(mode uint32, path []byte)) error {
	const header = 12
	if len(data) < header || string(data[:4]) != "DIRC" {
		return errIndex
	}
	version := binary.BigEndian.Uint32(data[4:])
	if version < 2 || version > 4 {
		return errIndex
	}
	at, path := header, []byte(nil)
	for range binary.BigEndian.Uint32(data[8:]) {
		next, err := nextPath(data, at, hash, version, &path)
		if err != nil {
			return err
		}
		see(binary.BigEndian.Uint32(data[at+modeOffset:]), path)
		at = next
	}
	return nil
}

// modeOffset is where an entry has its mode: behind two times, a device and an inode.
const modeOffset = 24

// nextPath reads the entry at a place into path, and returns where the next is.
func nextPath(data []byte, at, hash int, version uint32, path *[]byte) (next int, err error) {
	from := at + 40 + hash // what stat(2) said, and the object
	if from+2 > len(data) {
		return 0, errIndex
	}
	flags := binary.BigEndian.Uint16(data[from:])
	if from += 2; flags&0x4000 != 0 {
		from += 2 // more flags, since version 3
	}
	keep := 0
	if version == 4 {
		var drop int
		if drop, from, err = varint(data, from); err != nil {
			return 0, err
		}
		if keep = len(*path) - drop; keep < 0 {
			return 0, errIndex
		}
	}
	if from > len(data) {
		return 0, errIndex
	}
	end := bytes.IndexByte(data[from:], 0)
	if end < 0 {
		return 0, errIndex
	}
	*path = append((*path)[:keep], data[from:from+end]...)
	if length := int(flags & 0xfff); length != 0xfff && length != len(*path) {
		return 0, errIndex // so a wrong guess at the object's length shows
	}
	if next = from + end + 1; version < 4 {
		next = at + (from+end-at+8)&^7
	}
	return next, nil
}

// varint reads how many bytes of the last path an entry of version 4 drops.
func varint(data []byte, at int) (n, next int, err error) {
	for i := at; i < len(data) && i < at+5; i++ {
		n = n<<7 | int(data[i]&0x7f)
		if data[i]&0x80 == 0 {
			return n, i + 1, nil
		}
		n++
	}
	return 0, 0, errIndex
}
