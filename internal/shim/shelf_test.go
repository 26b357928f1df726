package shim

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"jail/internal/memory"
)

var _ memory.Shelf = (*Shelf)(nil)

func TestShelf(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := NewShelf(dir)
	defer s.Close()
	if b, m, err := s.Read("x"); b != nil || m != (memory.Mark{}) || err != nil {
		t.Errorf("nothing reads as %q, %v, %v", b, m, err)
	}
	if names, err := s.Names(); len(names) != 0 || err != nil {
		t.Errorf("names %q, %v", names, err)
	}
	if m, err := s.Mark("x"); m != (memory.Mark{}) || err != nil {
		t.Errorf("mark %v, %v", m, err)
	}
	s.Remove("x")
	if _, err := os.Lstat(dir); err == nil {
		t.Error("reading has made a directory")
	}
	if done, err := s.Swap("x", memory.Mark{Ino: 1}, nil); done || err != nil {
		t.Errorf("swapped what is not there: %v, %v", done, err)
	}
	if done, err := s.Swap("x", memory.Mark{}, []byte("1")); !done || err != nil {
		t.Fatal(done, err)
	}
	b, first, err := s.Read("x")
	if string(b) != "1" || first == (memory.Mark{}) || err != nil {
		t.Errorf("read %q, %v, %v", b, first, err)
	}
	if err := s.Write("x", []byte("")); err != nil {
		t.Fatal(err)
	}
	if m, _ := s.Mark("x"); m == first {
		t.Error("both have one mark")
	}
	if done, err := s.Swap("x", first, []byte("3")); done || err != nil {
		t.Errorf("swapped what had changed: %v, %v", done, err)
	}
	if b, _, err := s.Read("x"); b == nil || len(b) != 0 || err != nil {
		t.Errorf("an empty file reads as %v, %v", b, err)
	}
	if names, err := s.Names(); !slices.Contains(names, "x") || err != nil {
		t.Errorf("names %q, %v", names, err)
	}
	s.Remove("x")
	if _, err := os.Lstat(dir + "/state/x"); err == nil {
		t.Error("it is still there")
	}
}

// What is there and cannot be read is an error, and no missing file.
func TestShelfUnfit(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/state", 0o700); err != nil {
		t.Fatal(err)
	}
	s := NewShelf(dir)
	defer s.Close()
	for what, plant := range map[string]func(path string) error{
		"a directory": func(p string) error { return os.Mkdir(p, 0o700) },
		"a pipe":      func(p string) error { return unix.Mkfifo(p, 0o600) },
		"a link":      func(p string) error { return os.Symlink("/etc/passwd", p) },
		"too large":   func(p string) error { return errorOf(os.WriteFile(p, nil, 0o600), os.Truncate(p, maxFile+1)) },
	} {
		if err := plant(dir + "/state/x"); err != nil {
			t.Fatal(err)
		}
		if b, m, err := s.Read("x"); err == nil || b != nil || m == (memory.Mark{}) {
			t.Errorf("%s reads as %q, %v, %v", what, b, m, err)
		}
		if err := os.RemoveAll(dir + "/state/x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir+"/state", 0o777); err != nil {
		t.Fatal(err)
	}
	other := NewShelf(dir)
	if _, _, err := other.Read("x"); err == nil || !strings.Contains(err.Error(), "others") {
		t.Errorf("where everybody can write: %v", err)
	}
}

func errorOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Of many that change one file at the same time, none is lost.
func TestShelfSwapsOneByOne(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	const each, all = 10, 8
	for range all {
		group.Go(func() {
			s := NewShelf(dir)
			defer s.Close()
			for n := 0; n < each; {
				b, mark, err := s.Read("x")
				if err != nil {
					t.Error(err)
					return
				}
				done, err := s.Swap("x", mark, append(b, '.'))
				if err != nil {
					t.Error(err)
					return
				}
				if done {
					n++
				}
			}
		})
	}
	group.Wait()
	if b, err := os.ReadFile(dir + "/state/x"); len(b) != each*all || err != nil {
		t.Errorf("%d changes are left, %v", len(b), err)
	}
}
