package shim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// kept makes stores of two roots and one that is shared, with a file in each cache.
func kept(t *testing.T) (s Store, roots []string) {
	t.Helper()
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	s = Store{filepath.Join(tmp, "jail")}
	roots = []string{filepath.Join(tmp, "one"), filepath.Join(tmp, "two")}
	cs := append(Caches("npm"), Caches("cargo")...)
	for _, root := range roots {
		_, err := s.Open(root, cs)
		must(t, err)
	}
	_, err = s.OpenShared(cs)
	must(t, err)
	for _, root := range roots {
		must(t, os.WriteFile(filepath.Join(storeOf(s, root, CacheDir{Name: "npm"}), "file"), make([]byte, 100<<10), 0o600))
	}
	must(t, os.WriteFile(filepath.Join(s.DataDir, "cache/shared/npm/file"), make([]byte, 10<<10), 0o600))
	return s, roots
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestUsage(t *testing.T) {
	if u, err := (Store{t.TempDir() + "/jail"}).Usage(); u != nil || err != nil {
		t.Errorf("of nothing: %v %v", u, err)
	}
	s, roots := kept(t)
	dir := storeOf(s, roots[0], CacheDir{Name: "npm"})
	must(t, os.Link(dir+"/file", dir+"/again"))
	must(t, os.Symlink("/", dir+"/link"))
	must(t, os.Mkdir(filepath.Join(s.DataDir, "cache", trash+"x"), 0o700))
	found, err := s.Usage()
	must(t, err)
	if len(found) != 4 {
		t.Fatalf("%+v", found)
	}
	for _, u := range found {
		sum, partial := u.Bytes()
		want := map[string]int64{roots[0]: 100 << 10, roots[1]: 100 << 10}[u.Root]
		if u.Shared {
			want = 10 << 10
		}
		if u.Left != (want == 0) || sum < want || sum > want+64<<10 || partial {
			t.Errorf("%+v: %d, want %d", u, sum, want)
		}
	}
	if u := found[2]; u.Root != roots[0] || u.Caches[5].Name != "npm" || u.Caches[5].Files != 2 {
		t.Errorf("%+v", u)
	}
}

func TestClear(t *testing.T) {
	s, roots := kept(t)
	npm := func(root string) string { return storeOf(s, root, CacheDir{Name: "npm"}) }
	if had, err := s.Clear(roots[0]); !had || err != nil || exists(filepath.Dir(npm(roots[0]))) || !exists(npm(roots[1])+"/file") {
		t.Errorf("one: %t %v", had, err)
	}
	if had, err := s.Clear(roots[0]); had || err != nil {
		t.Errorf("again: %t %v", had, err)
	}
	cargo := storeOf(s, roots[1], CacheDir{Name: "cargo-lock"})
	if had, err := s.ClearCache("npm"); !had || err != nil || exists(npm(roots[1])) || exists(filepath.Join(s.DataDir, "cache/shared/npm")) || !exists(cargo) {
		t.Errorf("npm: %t %v", had, err)
	}
	if had, err := s.ClearCache("npm"); had || err != nil {
		t.Errorf("npm again: %t %v", had, err)
	}
	must(t, os.MkdirAll(filepath.Join(s.DataDir, "cache", trash+"x/1/2"), 0o700))
	if had, err := s.ClearAll(); !had || err != nil || exists(cargo) {
		t.Errorf("all: %t %v", had, err)
	}
	left, err := os.ReadDir(filepath.Join(s.DataDir, "cache"))
	if err != nil || len(left) != 0 {
		t.Errorf("left: %v %v", left, err)
	}
}

// The store of a root whose key is the same is not cleared in its name.
func TestClearRefusesAnothersStore(t *testing.T) {
	s, roots := kept(t)
	must(t, os.WriteFile(filepath.Join(s.DataDir, "cache", Key(roots[0]), "root"), []byte("/other"), 0o600))
	var unsafe *UnsafeError
	if _, err := s.Clear(roots[0]); !errors.As(err, &unsafe) {
		t.Errorf("%v", err)
	}
	if !exists(storeOf(s, roots[0], CacheDir{Name: "npm"})) {
		t.Error("it was cleared")
	}
	// Nor is a link of that name followed.
	must(t, os.Rename(filepath.Join(s.DataDir, "cache"), s.DataDir+"/real"))
	must(t, os.Symlink("real", filepath.Join(s.DataDir, "cache")))
	if _, err := s.ClearAll(); !errors.As(err, &unsafe) || !exists(s.DataDir+"/real/shared") {
		t.Errorf("through a link: %v", err)
	}
}

// hostile makes in dir what a jailed command can leave there, with a way out of it
// to each of outside.
func hostile(t *testing.T, dir, outside string) {
	t.Helper()
	must(t, os.Symlink(outside, dir+"/link"))
	must(t, os.Symlink(outside+"/dir", dir+"/link to a directory"))
	must(t, os.Symlink("loop", dir+"/loop"))
	must(t, os.Link(outside+"/file", dir+"/hard"))
	must(t, unix.Mkfifo(dir+"/fifo", 0))
	for _, name := range []string{"a\nb", "-rf", " ", "\xff", "*", "$(x)", "..."} {
		must(t, os.Mkdir(dir+"/"+name, 0o755))
		must(t, os.WriteFile(dir+"/"+name+"/file", nil, 0))
		must(t, os.Symlink(outside, dir+"/"+name+"/link"))
	}
	deep, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	must(t, err)
	for range 3000 { // far beyond PATH_MAX, and beyond what may be open at once
		must(t, unix.Mkdirat(deep, "deeper", 0o700))
		next, err := unix.Openat(deep, "deeper", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		must(t, err)
		unix.Close(deep)
		deep = next
	}
	must(t, unix.Symlinkat(outside, deep, "link"))
	unix.Close(deep)
	must(t, os.MkdirAll(dir+"/closed/closed/full", 0o755))
	for i := range 2500 {
		must(t, os.WriteFile(fmt.Sprintf("%s/closed/closed/full/%d", dir, i), nil, 0))
	}
	for _, closed := range []string{"closed/closed/full", "closed/closed", "closed", "a\nb"} {
		must(t, os.Chmod(dir+"/"+closed, 0))
	}
	must(t, os.Chmod(dir, 0o111))
}

// sentinel is a tree that must stay as it is.
func sentinel(t *testing.T) string {
	t.Helper()
	outside, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.Mkdir(outside+"/dir", 0o500))
	must(t, os.WriteFile(outside+"/file", []byte("sentinel"), 0o400))
	return outside
}

func intact(t *testing.T, outside string) {
	t.Helper()
	var st unix.Stat_t
	text, err := os.ReadFile(outside + "/file")
	if err != nil || string(text) != "sentinel" || unix.Stat(outside+"/dir", &st) != nil || st.Mode&0o7777 != 0o500 {
		t.Errorf("outside: %q %v, mode %o", text, err, st.Mode)
	}
	if unix.Stat(outside+"/file", &st) != nil || st.Mode&0o7777 != 0o400 {
		t.Errorf("mode %o", st.Mode)
	}
}

func TestClearOfHostileTrees(t *testing.T) {
	s, roots := kept(t)
	outside := sentinel(t)
	hostile(t, storeOf(s, roots[0], CacheDir{Name: "npm"}), outside)
	found, err := s.Usage()
	must(t, err)
	for _, u := range found {
		if _, partial := u.Bytes(); partial != (u.Root == roots[0]) {
			t.Errorf("%s: partial %t", u.Root, partial)
		}
	}
	if had, err := s.Clear(roots[0]); !had || err != nil {
		t.Errorf("%t %v", had, err)
	}
	intact(t, outside)
	if left, _ := filepath.Glob(s.DataDir + "/cache/.*"); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
	if found, _ := s.Usage(); len(found) != 2 {
		t.Errorf("%+v", found)
	}
}

// A directory that becomes a link to somewhere else while it is removed leads
// nowhere.
func TestClearWhileAJailRuns(t *testing.T) {
	s, roots := kept(t)
	outside := sentinel(t)
	store := storeOf(s, roots[0], CacheDir{Name: "npm"})
	for i := range 200 {
		must(t, os.MkdirAll(fmt.Sprintf("%s/%d/dir/sub", store, i), 0o755))
		must(t, os.WriteFile(fmt.Sprintf("%s/%d/dir/file", store, i), nil, 0o600))
	}
	fd, err := unix.Open(store, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	must(t, err)
	defer unix.Close(fd)
	stop, done := make(chan struct{}), sync.WaitGroup{}
	done.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			// What a jail's own mount of the store lets it do wherever the store is now.
			name := fmt.Sprint(i % 200)
			_ = unix.Renameat(fd, name, fd, "aside"+name)
			_ = unix.Symlinkat(outside, fd, name)
			_ = unix.Unlinkat(fd, name, 0)
			_ = unix.Renameat(fd, "aside"+name, fd, name)
		}
	})
	had, err := s.Clear(roots[0])
	close(stop)
	done.Wait()
	if !had {
		t.Errorf("%t %v", had, err)
	}
	intact(t, outside)
	if err != nil && !strings.Contains(err.Error(), "not empty") && !errors.Is(err, errBusy) {
		t.Errorf("%v", err)
	}
	if _, err := s.ClearAll(); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
