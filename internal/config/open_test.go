package config

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What is no honest file is refused at once: each case makes one where the
// project's and the user's file should be.
func TestOddFilesAreErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(t *testing.T, path string)
		cause string
	}{
		{"fifo", func(t *testing.T, p string) { must(t, syscall.Mkfifo(p, 0o600)) }, "is not a regular file"},
		{"link", func(t *testing.T, p string) { must(t, os.WriteFile(p+".real", nil, 0o600), os.Symlink(p+".real", p)) }, "is a symbolic link, which is not followed here"},
		{"dangling link", func(t *testing.T, p string) { must(t, os.Symlink("nothing", p)) }, "is a symbolic link, which is not followed here"},
		{"directory", func(t *testing.T, p string) { must(t, os.Mkdir(p, 0o700)) }, "is a directory, not a file"},
		{"socket", func(t *testing.T, p string) { socket(t, p) }, "is not a regular file"},
		{"for others to write", func(t *testing.T, p string) { file(t, p, 0o602, 0) }, "can be written by others (mode 0602)"},
		{"too large", func(t *testing.T, p string) { file(t, p, 0o600, maxFile+1) }, "is larger than 64 KiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			c.make(t, b.file(0))
			refused(t, b, b.file(0), c.cause)

			b = newBench(t)
			must(t, os.MkdirAll(filepath.Dir(b.in.UserFile), 0o700))
			c.make(t, b.in.UserFile)
			refused(t, b, b.in.UserFile, c.cause)
		})
	}
}

// refused loads, which must end soon and in an error about path.
func refused(t *testing.T, b *bench, path, cause string) {
	t.Helper()
	done := make(chan error, 1)
	go func() { _, err := Load(b.in); done <- err }()
	select {
	case err := <-done:
		e, ok := errors.AsType[*Error](err)
		if !ok || e.File != path || !strings.HasPrefix(e.Cause, cause) {
			t.Errorf("error %v, want %s: %s", err, path, cause)
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("waiting for %s", path)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// file makes one without regard to the umask.
func file(t *testing.T, path string, mode os.FileMode, size int) {
	t.Helper()
	must(t, os.WriteFile(path, bytes.Repeat([]byte("\n"), size), 0o600), os.Chmod(path, mode))
}

// socket makes one by a short relative path: sun_path holds 108 bytes.
func socket(t *testing.T, path string) {
	t.Helper()
	t.Chdir(filepath.Dir(path))
	l, err := net.Listen("unix", filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
}

func TestHonestFilesAreRead(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o444, 0o644} {
		b := newBench(t)
		file(t, b.file(0), mode, maxFile)
		if r := b.load(); len(r.Files) != 1 || r.Files[0] != b.file(0) {
			t.Errorf("mode %o: files %q", mode, r.Files)
		}
	}
	b := newBench(t)
	file(t, b.file(0), 0o600, 0)
	if r := b.load(); len(r.Files) != 1 {
		t.Errorf("an empty file is one too: %q", r.Files)
	}
}

// A group that is the owner's alone may write, or a umask of 002 would stop every
// command.
func TestGroupMayWriteWhereItIsTheOwners(t *testing.T) {
	b := newBench(t)
	file(t, b.file(0), 0o664, 1)
	private := os.Getuid() == os.Getgid()
	_, err := Load(b.in)
	if (err == nil) != private {
		t.Errorf("uid %d, gid %d: %v", os.Getuid(), os.Getgid(), err)
	}
	if os.Getuid() != 0 {
		t.Log("only root can give the file to another group: the rest is not run")
		return
	}
	must(t, os.Chown(b.file(0), 0, 4242))
	refused(t, b, b.file(0), "can be written by others (mode 0664)")
}

func TestOwners(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to make files of other users")
	}
	for _, c := range []struct {
		name         string
		marker, file int
		uid          uint32
		ok           bool
	}{
		{"the caller's", 1000, 1000, 1000, true},
		{"root's", 1000, 0, 1000, true},
		{"the marker's owner's", 1000, 1000, 0, true},
		{"another's", 1000, 1001, 1000, false},
		{"another's, for root", 0, 1001, 0, false},
		{"another's, in a marker of root's", 0, 1001, 1000, false},
	} {
		b := newBench(t)
		b.in.UID = c.uid
		file(t, b.file(0), 0o644, 1)
		must(t, os.Chown(b.file(0), c.file, c.file), os.Chown(filepath.Dir(b.file(0)), c.marker, c.marker))
		if c.ok {
			b.load()
		} else {
			refused(t, b, b.file(0), "belongs to another user (uid 1001)")
		}
	}
	b := newBench(t)
	b.write(b.in.UserFile, "")
	b.in.UID = 1000
	b.load() // root's
	must(t, os.Chown(b.in.UserFile, 1001, 1001))
	refused(t, b, b.in.UserFile, "belongs to another user (uid 1001)")
}

func TestUnreadableIsAnError(t *testing.T) {
	b := newBench(t)
	b.write(filepath.Dir(b.in.UserFile), "a file where the directory should be")
	refused(t, b, b.in.UserFile, "is not a directory, or lies below something that is none")
	if os.Getuid() == 0 {
		t.Log("root may read everything: the rest is not run")
		return
	}
	b = newBench(t)
	file(t, b.file(0), 0, 1)
	refused(t, b, b.file(0), "cannot be read: permission denied")
	b = newBench(t)
	b.write(b.file(0), "")
	must(t, os.Chmod(filepath.Dir(b.file(0)), 0))
	t.Cleanup(func() { os.Chmod(filepath.Dir(b.file(0)), 0o700) })
	refused(t, b, b.file(0), "cannot be read: permission denied")
}

func TestMarkerThatChangedIsAnError(t *testing.T) {
	b := newBench(t)
	marker := filepath.Dir(b.file(0))
	must(t, os.Rename(marker, marker+".real"), os.Symlink(marker+".real", marker))
	refused(t, b, marker, "is not a directory")
	must(t, os.Remove(marker))
	b.load() // gone since detect saw it: there is no file to obey
}

func TestHintsCanBePasted(t *testing.T) {
	b := newBench(t)
	b.project("proj/it's")
	file(t, b.file(1), 0o666, 1)
	_, err := Load(b.in)
	e, _ := errors.AsType[*Error](err)
	want := "chmod go-w '" + b.home + `/proj/it'\''s/.ai-jail/config.toml'`
	if e == nil || e.Hint != want {
		t.Errorf("%v, hint %q, want %q", err, hintOf(e), want)
	}
	if got := paste("rm", "/a\x1b[31m"); got != "" {
		t.Errorf("a hint with an escape: %q", got)
	}
}
