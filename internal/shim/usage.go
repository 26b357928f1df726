package shim

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A Usage is what one root's stores take on the disk.
type Usage struct {
	Root   string // empty: not a root's
	Shared bool   // the stores that all roots share
	Left   bool   // what a Clear that was ended has left
	Caches []CacheUsage
}

// A CacheUsage is one store. Partial says that something in it could not be read,
// so that it takes more: what jailed commands leave there may have any mode, and
// be of any depth.
type CacheUsage struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"`
	Files   int    `json:"files"`
	Partial bool   `json:"partial"`
}

// Bytes is the sum of all caches, and whether it is one of all of them.
func (u Usage) Bytes() (sum int64, partial bool) {
	for _, c := range u.Caches {
		sum, partial = sum+c.Bytes, partial || c.Partial
	}
	return sum, partial
}

// Usage looks at all stores, in the order of their roots. It changes nothing.
func (s Store) Usage() ([]Usage, error) {
	all, err := s.all()
	if err != nil || all == nil {
		return nil, err
	}
	defer all.close()
	names, err := all.entries()
	if err != nil {
		return nil, err
	}
	var found []Usage
	for _, name := range names {
		if u, ok := all.usage(name); ok {
			found = append(found, u)
		}
	}
	slices.SortFunc(found, func(a, b Usage) int {
		return strings.Compare(a.Root, b.Root)
	})
	return found, nil
}

// all opens the directory of all stores; nil where there is none.
func (s Store) all() (*directory, error) {
	data, err := openData(s.DataDir, false)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer data.close()
	all, err := data.sub("cache", false)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return &all, err
}

// usage measures what lies in the entry called name.
func (d directory) usage(name string) (Usage, bool) {
	u := Usage{Shared: name == shared, Left: strings.HasPrefix(name, trash)}
	m := measure{}
	if u.Left {
		u.Caches = []CacheUsage{m.of(d.fd, name)}
		return u, true
	}
	store, err := d.sub(name, false)
	if err != nil {
		return u, false
	}
	defer store.close()
	if root, err := store.read("root", unix.PathMax); err == nil {
		u.Root = string(root)
	} else if !u.Shared {
		return u, false
	}
	names, _ := store.entries()
	slices.Sort(names)
	for _, name := range names {
		if name != "root" {
			u.Caches = append(u.Caches, m.of(store.fd, name))
		}
	}
	return u, true
}

// A measure adds up a tree. A file with several names is counted once.
type measure struct {
	seen map[[2]uint64]bool
	now  CacheUsage
}

// deepest is how far down a measure looks: each level is an open descriptor.
const deepest = 200

func (m *measure) of(dir int, name string) CacheUsage {
	m.seen, m.now = map[[2]uint64]bool{}, CacheUsage{Name: name}
	m.entry(dir, name, 0)
	return m.now
}

func (m *measure) entry(dir int, name string, depth int) {
	var st unix.Stat_t
	if err := unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		m.now.Partial = m.now.Partial || err != unix.ENOENT
		return
	}
	isDir := st.Mode&unix.S_IFMT == unix.S_IFDIR
	if id := [2]uint64{st.Dev, st.Ino}; st.Nlink > 1 && !isDir {
		if m.seen[id] {
			return
		}
		m.seen[id] = true
	}
	m.now.Bytes += st.Blocks * 512
	if !isDir {
		m.now.Files++
		return
	}
	m.directory(dir, name, depth)
}

func (m *measure) directory(dir int, name string, depth int) {
	if depth == deepest {
		m.now.Partial = true
		return
	}
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		m.now.Partial = true
		return
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024)
		for _, name := range names {
			m.entry(fd, name, depth+1)
		}
		if err != nil {
			m.now.Partial = m.now.Partial || err != io.EOF
			return
		}
	}
}
