package detect

import (
	"encoding/binary"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// An entry is one name of a directory, with its type as getdents64(2) says it.
type entry struct {
	name string
	kind uint8
}

func openDir(path string) (int, error) {
	return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// readEntries returns at most most entries of a directory, as the file system
// orders them.
func readEntries(fd, most int) []entry {
	entries := make([]entry, 0, 32)
	var buf [8192]byte
	for {
		n, err := unix.Getdents(fd, buf[:])
		if n <= 0 || err != nil {
			return entries
		}
		for rest := buf[:n]; len(rest) >= 19 && len(entries) < most; {
			size := int(binary.NativeEndian.Uint16(rest[16:])) // struct linux_dirent64
			if size < 19 || size > len(rest) {
				return entries
			}
			if e, ok := parseEntry(fd, rest[:size]); ok {
				entries = append(entries, e)
			}
			rest = rest[size:]
		}
		if len(entries) == most {
			return entries
		}
	}
}

// parseEntry reads one record. Some file systems do not know the type of a name
// before they are asked for it.
func parseEntry(fd int, record []byte) (entry, bool) {
	name := record[19:]
	if i := slices.Index(name, 0); i >= 0 {
		name = name[:i]
	}
	e := entry{name: string(name), kind: record[18]}
	if e.name == "." || e.name == ".." {
		return entry{}, false
	}
	if e.kind == unix.DT_UNKNOWN {
		var st unix.Stat_t
		if unix.Fstatat(fd, e.name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
			e.kind = uint8(st.Mode & unix.S_IFMT >> 12) // DT_* are S_IF* shifted
		}
	}
	return e, true
}

// list is what dir holds, read once; nil where it cannot be read.
func (f *finder) list(dir string) []entry {
	if entries, ok := f.dirs[dir]; ok {
		return entries
	}
	var entries []entry
	if fd, err := openDir(dir); err == nil {
		entries = readEntries(fd, maxEntries)
		unix.Close(fd)
	}
	f.dirs[dir] = entries
	return entries
}

// lists reports whether dir holds name.
func (f *finder) lists(dir, name string) bool {
	entries := f.list(dir)
	if slices.ContainsFunc(entries, func(e entry) bool { return e.name == name }) {
		return true
	}
	return len(entries) == maxEntries && f.has(join(dir, name))
}

// holdsOnly reports whether a directory holds nothing but names in known.
func (f *finder) holdsOnly(dir string, known []string) bool {
	entries := f.list(dir)
	for _, e := range entries {
		if !slices.Contains(known, e.name) || isReceipt(e.name) && namesUser(join(dir, e.name)) {
			return false
		}
	}
	return entries != nil
}

// isReceipt reports whether name is what pipx and uv write down about a tool that
// they installed: the address of the index among other things.
func isReceipt(name string) bool {
	return name == "uv-receipt.toml" || name == "pipx_metadata.json"
}

// namesUser reports whether a file may hold an address with a user's name and
// password in it.
func namesUser(path string) bool {
	var buf [16 << 10]byte
	n, err := readStart(unix.AT_FDCWD, path, buf[:])
	text := string(buf[:n])
	return err != nil || n == len(buf) || strings.Contains(text, "://") && strings.Contains(text, "@")
}

// directories adds root whole or, where one of hide exists in it, all its
// directories but those.
func (f *finder) directories(root string, hide []string) {
	var hidden []string
	for _, path := range hide {
		name, rest := nextName(path)
		if f.lists(root, name) && (rest == "" || f.has(join(root, path))) {
			hidden = append(hidden, name)
		}
	}
	if hidden == nil && f.show(root) {
		return
	}
	for _, e := range f.list(root) {
		if (e.kind == unix.DT_DIR || e.kind == unix.DT_LNK) && !slices.Contains(hidden, e.name) {
			f.show(join(root, e.name))
		}
	}
}
