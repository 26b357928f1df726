package shim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// A Store is where the caches of jails are kept on the host:
//
//	<data>/cache/<key of the root>/root   the path of the root, nothing else
//	<data>/cache/<key of the root>/npm    one directory for each CacheDir
//	<data>/cache/shared/npm               the same for all roots: cache = "shared"
//
// Every root has a store of its own, so that what one project's install script
// writes is never installed in another.
type Store struct{ DataDir string }

// shared cannot be the key of a root: those end in a hash.
const shared = "shared"

// Key returns the name of a root's store. It can be read, and two roots never
// have the same one: the hash is of the path's bytes, whatever they are, and the
// file beside the caches settles the rest.
func Key(root string) string {
	sum := sha256.Sum256([]byte(root))
	name := []byte(base(root))
	if len(name) > 40 {
		name = name[:40]
	}
	for i, c := range name {
		if !portable(c) || i == 0 && c == '.' {
			name[i] = '_'
		}
	}
	return string(name) + "-" + hex.EncodeToString(sum[:8])
}

// portable reports whether c is in POSIX's set for file names.
func portable(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-'
}

// Look returns what exists now of a root's stores for caches, in their order; a
// store that does not exist is plan.Absent. It writes nothing, so that a dry run
// can ask.
func (s Store) Look(root string, caches []CacheDir) ([]plan.Source, error) {
	return s.sources(Key(root), root, caches, false)
}

// Open is Look, and creates what is missing.
func (s Store) Open(root string, caches []CacheDir) ([]plan.Source, error) {
	return s.sources(Key(root), root, caches, true)
}

// LookShared is Look for the stores that all roots share.
func (s Store) LookShared(caches []CacheDir) ([]plan.Source, error) {
	return s.sources(shared, "", caches, false)
}

// OpenShared is Open for the stores that all roots share.
func (s Store) OpenShared(caches []CacheDir) ([]plan.Source, error) {
	return s.sources(shared, "", caches, true)
}

func (s Store) sources(key, root string, caches []CacheDir, create bool) ([]plan.Source, error) {
	sources := make([]plan.Source, len(caches))
	for i, c := range caches {
		sources[i].Path = filepath.Join(s.DataDir, "cache", key, c.Name)
	}
	if len(caches) == 0 {
		return sources, nil
	}
	d, err := s.root(key, root, create)
	if os.IsNotExist(err) && !create {
		return sources, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open cache store: %w", err)
	}
	defer d.close()
	for i, c := range caches {
		if sources[i], err = d.source(c, create); err != nil {
			return nil, fmt.Errorf("open cache store: %w", err)
		}
	}
	return sources, nil
}

// root opens the directory of one root's stores.
func (s Store) root(key, root string, create bool) (directory, error) {
	data, err := openData(s.DataDir, create)
	if err != nil {
		return directory{}, err
	}
	defer data.close()
	all, err := data.sub("cache", create)
	if err != nil {
		return directory{}, err
	}
	defer all.close()
	d, err := all.sub(key, create)
	if err != nil || key == shared {
		return d, err
	}
	if err := d.belongs(root, create); err != nil {
		d.close()
		return directory{}, err
	}
	return d, nil
}

// belongs checks that the store d is root's, and not that of a root whose hash
// happens to be, or was made to be, the same.
func (d directory) belongs(root string, create bool) error {
	named, err := d.read("root", len(root)+1)
	if os.IsNotExist(err) && create {
		return d.write("root", []byte(root), 0o600)
	}
	if err != nil || string(named) == root {
		return err
	}
	return &UnsafeError{
		Path:  d.path,
		Cause: fmt.Sprintf("the cache store %q is another project's, not that of %q", d.path, root),
		Hint:  "cat " + plan.Word(filepath.Join(d.path, "root")),
	}
}

// read returns at most limit bytes of the file called name. It runs at every launch,
// so it does without os.File, whose first one starts Go's poller.
func (d directory) read(name string, limit int) ([]byte, error) {
	path := filepath.Join(d.path, name)
	fd, err := unix.Openat(d.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	text := make([]byte, limit)
	n, err := unix.Read(fd, text)
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	return text[:n], nil
}

// source is what stands in d for one cache.
func (d directory) source(c CacheDir, create bool) (plan.Source, error) {
	src := plan.Source{Path: filepath.Join(d.path, c.Name)}
	st, err := d.stat(c.Name)
	if os.IsNotExist(err) {
		if !create {
			return src, nil
		}
		if err = d.make(c); err == nil {
			st, err = d.stat(c.Name)
		}
	}
	if err != nil {
		return src, err
	}
	src.ID, src.UID, src.Perm, src.Type = idOf(&st), st.Uid, st.Mode&0o7777, c.Type
	if plan.TypeOf(st.Mode) != c.Type {
		return src, &UnsafeError{
			Path:  src.Path,
			Cause: fmt.Sprintf("the cache store %q is not a %s", src.Path, c.Type),
			Hint:  "mv " + plan.Word(src.Path) + " " + plan.Word(src.Path+".away"),
		}
	}
	if st.Uid != uint32(os.Geteuid()) {
		return src, callersAlone(src.Path, &st)
	}
	// Its permissions are not judged: a jailed command may change them, and
	// nobody else gets past the directory above, which it cannot reach.
	return src, nil
}

// make creates the store of one cache. Another jail may be doing the same.
func (d directory) make(c CacheDir) error {
	if c.Type == plan.Directory {
		sub, err := d.sub(c.Name, true)
		if err == nil {
			sub.close()
		}
		return err
	}
	f, err := d.open(c.Name, unix.O_WRONLY|unix.O_CREAT, 0o600)
	if err == nil {
		err = f.Close()
	}
	return err
}
