package detect

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// A scene is a temporary directory without links in its path, for tests that
// compare paths, and open to everybody, for tests as another user.
type scene struct {
	t    *testing.T
	root string
}

func newScene(t *testing.T) scene {
	t.Helper()
	tr := scene{t, physical(t.TempDir())}
	must(t, unix.Chmod(parent(tr.root), 0o755))
	return tr
}

func (tr scene) path(name string) string { return filepath.Join(tr.root, name) }

// dir makes a directory of mode 0755 and returns its path.
func (tr scene) dir(name string) string {
	tr.t.Helper()
	return tr.dirMode(name, 0o755)
}

func (tr scene) dirMode(name string, mode uint32) string {
	tr.t.Helper()
	path := tr.path(name)
	must(tr.t, os.MkdirAll(path, 0o755))
	must(tr.t, unix.Chmod(path, mode)) // os.Chmod has its own idea of a sticky bit
	return path
}

func (tr scene) file(name string, mode uint32) string {
	tr.t.Helper()
	path := tr.path(name)
	must(tr.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(tr.t, os.WriteFile(path, []byte("x"), 0o600))
	must(tr.t, unix.Chmod(path, mode))
	return path
}

func (tr scene) link(text, name string) string {
	tr.t.Helper()
	path := tr.path(name)
	must(tr.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(tr.t, os.Symlink(text, path))
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// asNobody runs f with the file rights of an ordinary user, whoever runs the
// tests. Linux keeps them for each thread, so the thread is thrown away after.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		unix.RawSyscall(unix.SYS_SETFSGID, 65534, 0, 0)
		unix.RawSyscall(unix.SYS_SETFSUID, 65534, 0, 0)
		f()
	}()
	<-done
}
