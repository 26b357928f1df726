package trust

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func newStore(t *testing.T) Store {
	t.Helper()
	return Store{Dir: filepath.Join(t.TempDir(), "share", "jail", "trust")}
}

func config(text string) []File { return []File{{"config.toml", []byte(text)}} }

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func allowed(t *testing.T, s Store, root string, files []File) bool {
	t.Helper()
	ok, err := s.Allowed(root, files)
	must(t, err)
	return ok
}

func TestConsentIsToOneContentInOnePlace(t *testing.T) {
	s := newStore(t)
	files := []File{{"config.toml", []byte("a = 1\n")}, {"extra", []byte("x")}}
	if allowed(t, s, "/src/p", files) {
		t.Error("allowed before anybody was asked")
	}
	must(t, s.Allow("/src/p", files))
	if !allowed(t, s, "/src/p", files) {
		t.Error("consent is lost")
	}
	if !allowed(t, s, "/src/p", []File{files[1], files[0]}) {
		t.Error("the order in which files were read matters")
	}
	for name, c := range map[string]struct {
		root  string
		files []File
	}{
		"copied":              {"/src/q", files},
		"sibling with prefix": {"/src/p-evil", files},
		"below":               {"/src/p/vendor", files},
		"above":               {"/src", files},
		"edited":              {"/src/p", []File{{"config.toml", []byte("a = 2\n")}, files[1]}},
		"one byte more":       {"/src/p", []File{{"config.toml", []byte("a = 1\n\n")}, files[1]}},
		"renamed":             {"/src/p", []File{{"config.tom", files[0].Data}, files[1]}},
		"one file less":       {"/src/p", files[:1]},
		"one file more":       {"/src/p", append([]File{{"more", nil}}, files...)},
		"bytes moved":         {"/src/p", []File{{"config.toml", []byte("a = 1\nx")}, {"extra", nil}}},
		"contents swapped":    {"/src/p", []File{{"config.toml", files[1].Data}, {"extra", files[0].Data}}},
		"no file":             {"/src/p", nil},
	} {
		if allowed(t, s, c.root, c.files) {
			t.Errorf("%s: allowed", name)
		}
	}
}

func TestConsentIsReplacedAndRevoked(t *testing.T) {
	s := newStore(t)
	must(t, s.Allow("/p", config("old")), s.Allow("/q", config("old")), s.Allow("/p", config("new")))
	if allowed(t, s, "/p", config("old")) || !allowed(t, s, "/p", config("new")) || !allowed(t, s, "/q", config("old")) {
		t.Error("a new consent did not replace the old one of its root, and of its root alone")
	}
	had, err := s.Revoke("/p")
	if !had || err != nil || allowed(t, s, "/p", config("new")) || !allowed(t, s, "/q", config("old")) {
		t.Errorf("revoke: %v %v", had, err)
	}
	for _, root := range []string{"/p", "/never"} {
		if had, err := s.Revoke(root); had || err != nil {
			t.Errorf("revoke %s again: %v %v", root, had, err)
		}
	}
	if had, err := newStore(t).Revoke("/p"); had || err != nil {
		t.Errorf("revoke without a store: %v %v", had, err)
	}
}

func TestAskingTouchesNothing(t *testing.T) {
	s := newStore(t)
	allowed(t, s, "/p", config("a"))
	_, _, err := s.Diff("/p", config("a"))
	must(t, err)
	if _, err := os.Stat(filepath.Dir(filepath.Dir(s.Dir))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the store's directory was made: %v", err)
	}
}

func TestModesAndLeftovers(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	s := newStore(t)
	must(t, s.Allow("/p", config("a")), s.Allow("/p", config("b")), s.Allow("/q", config("c")))
	for dir := s.Dir; strings.Contains(dir, "share"); dir = filepath.Dir(dir) {
		if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v", dir, st.Mode(), err)
		}
	}
	names, err := os.ReadDir(s.Dir)
	must(t, err)
	for _, n := range names {
		if st, err := n.Info(); err != nil || st.Mode() != 0o600 || len(n.Name()) != 64 {
			t.Errorf("%s: %v %v", n.Name(), st.Mode(), err)
		}
	}
	if len(names) != 2 {
		t.Errorf("%d files for two roots", len(names))
	}
}

// Each case spoils a store that holds consent: the answer is an error, and soon.
func TestUnbelievableStoresAreErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(s Store, entry string) error
		want  string
	}{
		{"others can write", func(s Store, _ string) error { return os.Chmod(s.Dir, 0o702) }, "can be written by others (mode 0702)"},
		{"the group can write", func(s Store, _ string) error { return os.Chmod(s.Dir, 0o720) }, "can be written by others (mode 0720)"},
		{"sticky", func(s Store, _ string) error { return os.Chmod(s.Dir, 0o777|os.ModeSticky) }, "can be written by others (mode 1777)"},
		{"a link", func(s Store, _ string) error {
			return errors.Join(os.Rename(s.Dir, s.Dir+".real"), os.Symlink(s.Dir+".real", s.Dir))
		}, "not a directory"},
		{"a file", func(s Store, _ string) error {
			return errors.Join(os.RemoveAll(s.Dir), os.WriteFile(s.Dir, nil, 0o600))
		}, "not a directory"},
		{"entry for others to write", func(_ Store, e string) error { return os.Chmod(e, 0o606) }, "can be written by others (mode 0606)"},
		{"entry is a link", func(_ Store, e string) error {
			return errors.Join(os.Rename(e, e+".real"), os.Symlink(e+".real", e))
		}, "too many levels of symbolic links"},
		{"entry is a fifo", func(_ Store, e string) error { return errors.Join(os.Remove(e), syscall.Mkfifo(e, 0o600)) }, "is not a regular file"},
		{"entry is a directory", func(_ Store, e string) error { return errors.Join(os.Remove(e), os.Mkdir(e, 0o700)) }, "is not a regular file"},
		{"entry is cut", func(_ Store, e string) error { return os.Truncate(e, 80) }, "it is damaged"},
		{"entry is empty", func(_ Store, e string) error { return os.Truncate(e, 0) }, "it is damaged"},
		{"entry is huge", func(_ Store, e string) error { return os.Truncate(e, maxEntry+1) }, "is larger than"},
		{"entry is changed", func(_ Store, e string) error {
			data, err := os.ReadFile(e)
			data[len(data)-3] ^= 1
			return errors.Join(err, os.WriteFile(e, data, 0o600))
		}, "it is damaged"},
		{"entry of another root", func(s Store, e string) error {
			return errors.Join(s.Allow("/other", config("a")), os.Rename(filepath.Join(s.Dir, entryName("/other")), e))
		}, `it is for "/other"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			must(t, s.Allow("/p", config("a")))
			must(t, c.spoil(s, filepath.Join(s.Dir, entryName("/p"))))
			done := make(chan struct{})
			go func() {
				defer close(done)
				ok, err := s.Allowed("/p", config("a"))
				if ok || err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("allowed %v, error %v, want %s", ok, err, c.want)
				}
				if _, _, err := s.Diff("/p", config("a")); err == nil {
					t.Error("compared with it")
				}
			}()
			select {
			case <-done:
			case <-time.After(10 * time.Second):
				t.Fatal("still waiting")
			}
		})
	}
}

func TestUnbelievableStoreIsNotWritten(t *testing.T) {
	s := newStore(t)
	must(t, os.MkdirAll(s.Dir, 0o700), os.Chmod(s.Dir, 0o777))
	if err := s.Allow("/p", config("a")); err == nil {
		t.Error("consent was kept where others can write")
	}
	if _, err := s.Revoke("/p"); err == nil {
		t.Error("revoked where others can write")
	}
	names, err := os.ReadDir(s.Dir)
	must(t, err)
	if len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestStoreOfAnotherUser(t *testing.T) {
	for _, c := range []struct{ uid, mode, caller uint32 }{{1001, 0o700, 1000}, {0, 0o700, 1000}, {1000, 0o700, 0}, {1000, 0o701 | 0o20, 1000}} {
		if err := inspect(&unix.Stat_t{Uid: c.uid, Mode: unix.S_IFDIR | c.mode}, unix.S_IFDIR, c.caller); err == nil {
			t.Errorf("%+v is believed", c)
		}
	}
	if os.Geteuid() != 0 {
		return // only root can give files away
	}
	s := newStore(t)
	must(t, s.Allow("/p", config("a")), os.Chown(filepath.Join(s.Dir, entryName("/p")), 1001, 0))
	if ok, err := s.Allowed("/p", config("a")); ok || err == nil || !strings.Contains(err.Error(), "belongs to another user (uid 1001)") {
		t.Errorf("entry: %v %v", ok, err)
	}
	must(t, os.Chown(s.Dir, 1001, 0))
	if ok, err := s.Allowed("/p", config("a")); ok || err == nil || !strings.Contains(err.Error(), "belongs to another user (uid 1001)") {
		t.Errorf("store: %v %v", ok, err)
	}
	if err := s.Allow("/q", config("a")); err == nil {
		t.Error("kept in another user's store")
	}
}

func TestWrongQuestionsAreErrors(t *testing.T) {
	s := newStore(t)
	for _, root := range []string{"", "p", "./p", "/p/", "/p/../q", "//p"} {
		if _, err := s.Allowed(root, config("a")); err == nil {
			t.Errorf("root %q", root)
		}
		if err := s.Allow(root, config("a")); err == nil {
			t.Errorf("root %q is kept", root)
		}
		if _, err := s.Revoke(root); err == nil {
			t.Errorf("root %q is revoked", root)
		}
		if _, _, err := s.Diff(root, nil); err == nil {
			t.Errorf("root %q is compared", root)
		}
	}
	for _, files := range [][]File{{{"", nil}}, {{"a", nil}, {"a", []byte("x")}}} {
		if _, err := s.Allowed("/p", files); err == nil {
			t.Errorf("files %v", files)
		}
	}
	if err := s.Allow("/p", nil); err == nil {
		t.Error("consent to nothing")
	}
	t.Chdir(t.TempDir())
	if err := (Store{Dir: "trust"}).Allow("/p", config("a")); err == nil {
		t.Error("a store by a relative path")
	}
	if _, err := os.Stat("trust"); err == nil {
		t.Error("a store was made in the working directory")
	}
	if err := s.Allow("/p", config(strings.Repeat("x", maxEntry))); err == nil {
		t.Error("kept what could not be read again")
	}
}

// Whoever looks while consent changes sees the one or the other, whole.
func TestReplacingIsAtomic(t *testing.T) {
	s := newStore(t)
	must(t, s.Allow("/p", config("a")))
	var wg sync.WaitGroup
	for _, text := range []string{"a", strings.Repeat("b\n", 5000)} {
		wg.Go(func() {
			for range 50 {
				if err := s.Allow("/p", config(text)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 500 {
		if _, err := s.Allowed("/p", config("a")); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}

// A file that a crash left behind is in nobody's way.
func TestLeftoverOfACrash(t *testing.T) {
	s := newStore(t)
	must(t, s.Allow("/p", config("a")))
	dir, err := s.open()
	must(t, err)
	fd, name, err := temp(dir)
	must(t, err, syscall.Close(fd), syscall.Close(dir))
	must(t, s.Allow("/p", config("b")))
	if !allowed(t, s, "/p", config("b")) {
		t.Error("not kept")
	}
	if _, err := os.Stat(filepath.Join(s.Dir, name)); err != nil {
		t.Errorf("another writer's file is gone: %v", err)
	}
}

func BenchmarkAllowed(b *testing.B) {
	s := Store{Dir: filepath.Join(b.TempDir(), "trust")}
	files := config(strings.Repeat("rw = ['~/x']\n", 10))
	if err := s.Allow("/p", files); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if ok, err := s.Allowed("/p", files); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
