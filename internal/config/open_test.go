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

	"golang.org/x/sys/unix"
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

// refused loads, which must end in an error about path.
func refused(t *testing.T, b *bench, path, cause string) {
	t.Helper()
	_, err := b.soon()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.File != path || !strings.HasPrefix(e.Cause, cause) {
		t.Errorf("error %v, want %s: %s", err, path, cause)
	}
}

// soon loads, and fails where that waits for something.
func (b *bench) soon() (*Result, error) {
	b.t.Helper()
	type loaded struct {
		r   *Result
		err error
	}
	done := make(chan loaded, 1)
	go func() { r, err := Load(b.in); done <- loaded{r, err} }()
	select {
	case l := <-done:
		return l.r, l.err
	case <-time.After(10 * time.Second):
		b.t.Fatal("still loading")
		return nil, nil
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

// What fstat says decides; whose files there are in the test's directory does not.
func TestInspect(t *testing.T) {
	for _, c := range []struct {
		name     string
		uid, gid uint32
		mode     uint32
		owners   []uint32
		cause    string
	}{
		{"the caller's", 1000, 1000, 0o600, []uint32{1000, 1000}, ""},
		{"root's", 0, 0, 0o644, []uint32{1000, 1000}, ""},
		{"the marker's owner's, for root", 1000, 1000, 0o644, []uint32{0, 1000}, ""},
		{"another's", 1001, 1001, 0o644, []uint32{1000, 1000}, "belongs to another user (uid 1001)"},
		{"another's, for root", 1001, 1001, 0o644, []uint32{0, 0}, "belongs to another user (uid 1001)"},
		{"another's, in a marker of root's", 1001, 1001, 0o644, []uint32{1000, 0}, "belongs to another user (uid 1001)"},
		{"the owner's own group may write", 1000, 1000, 0o664, []uint32{1000}, ""},
		{"another group may write", 1000, 100, 0o664, []uint32{1000}, "can be written by others (mode 0664)"},
		{"another group may read", 1000, 100, 0o640, []uint32{1000}, ""},
		{"everybody may write", 1000, 1000, 0o646, []uint32{1000}, "can be written by others (mode 0646)"},
	} {
		err := inspect("/f", &unix.Stat_t{Uid: c.uid, Gid: c.gid, Mode: unix.S_IFREG | c.mode}, c.owners)
		if e, _ := errors.AsType[*Error](err); (err == nil) != (c.cause == "") || e != nil && e.Cause != c.cause {
			t.Errorf("%s: %v, want %s", c.name, err, c.cause)
		}
	}
}

// The same with real files, which only root can give away.
func TestOwners(t *testing.T) {
	b := newBench(t)
	b.write(b.file(0), "")
	b.write(b.in.UserFile, "")
	if os.Getuid() != 0 {
		b.in.UID++ // as somebody else sees it, whose marker and file agree
		b.in.UserFile = ""
		b.load()
		return
	}
	b.in.UID = 1000
	b.load() // root's files are believed
	must(t, os.Chown(b.file(0), 1001, 1001))
	refused(t, b, b.file(0), "belongs to another user (uid 1001)")
	must(t, os.Chown(filepath.Dir(b.file(0)), 1001, 1001))
	b.load()
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
}
