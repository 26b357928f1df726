package mask

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// TestBusy walks a tree in which others make, remove, rename and swap all the
// time, as builds and installs do, and an attacker does on purpose. No walk may
// fail, and none may leave the tree.
func TestBusy(t *testing.T) {
	outside := tree(t, ".env", "x/.env", "secrets/y")
	root := tree(t, "stay/.env")
	for i := range 200 {
		grow(t, root, fmt.Sprintf("d%d/e/f.key", i))
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() { disturb(root, outside, stop) })
	group.Go(func() { disturb(root, outside, stop) })
	// The bound is on time, so that a loaded machine only tries less often.
	for start := time.Now(); time.Since(start) < 400*time.Millisecond; {
		r, err := Walk(Request{Root: root, Patterns: Builtin()})
		if err != nil {
			t.Error(err)
			break
		}
		found := false
		for _, h := range r.Hits {
			found = found || h.Path == root+"/stay/.env"
			if !plan.Below(h.Path, root) || h.ID == idAt(t, outside+"/.env") || h.ID == idAt(t, outside+"/x/.env") {
				t.Errorf("the walk left the tree: %+v", h)
			}
		}
		if !found {
			t.Error("what nobody touched is missing")
		}
	}
	close(stop)
	group.Wait()
}

func idAt(t *testing.T, path string) plan.ID {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		t.Fatal(err)
	}
	return plan.ID{Dev: uint64(st.Dev), Ino: st.Ino}
}

func disturb(root, outside string, stop chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		d := filepath.Join(root, fmt.Sprintf("d%d", i%200))
		switch i % 4 {
		case 0:
			os.Rename(d, d+"x")
			os.Symlink(outside, d)
		case 1:
			os.Remove(d)
			os.Rename(d+"x", d)
		case 2:
			os.RemoveAll(d + "/e")
			os.Symlink(outside, d+"/e")
		case 3:
			os.Remove(d + "/e")
			os.MkdirAll(d+"/e/secrets", 0o755)
			os.WriteFile(d+"/e/.env", nil, 0o644)
		}
	}
}

// direntBytes makes one record of getdents64.
func direntBytes(ino uint64, typ byte, name string) []byte {
	b := make([]byte, (19+len(name)+1+7)&^7)
	binary.NativeEndian.PutUint64(b, ino)
	binary.NativeEndian.PutUint16(b[16:], uint16(len(b)))
	b[18] = typ
	copy(b[19:], name)
	return b
}

// TestUnknownTypes feeds what file systems send that do not say what a name is.
func TestUnknownTypes(t *testing.T) {
	root := tree(t, ".env", "sub/x", "link -> .env", "plain")
	k, d, f := at(t, root)
	var buf []byte
	for _, n := range []string{".", "..", ".env", "sub", "link", "plain", "gone.key"} {
		buf = append(buf, direntBytes(1, unix.DT_UNKNOWN, n)...)
	}
	if err := k.entries(d, f, buf); err != nil {
		t.Fatal(err)
	}
	if len(k.spoken) != 1 || k.spoken[0].name != ".env" || len(k.below) != 1 || k.below[0].name != "sub" || k.found.files != 3 {
		t.Errorf("spoken %+v, below %+v, files %d", k.spoken, k.below, k.found.files)
	}
}

// TestBrokenRecords holds that what no kernel should send ends the walk.
func TestBrokenRecords(t *testing.T) {
	k, d, f := at(t, tree(t))
	for _, length := range []uint16{0, 1, 19, 4096} {
		b := direntBytes(1, unix.DT_REG, "x")
		binary.NativeEndian.PutUint16(b[16:], length)
		if err := k.entries(d, f, b); err == nil {
			t.Errorf("a record of length %d passes", length)
		}
	}
}

// at returns a worker that is about to read root.
func at(t *testing.T, root string) (*worker, *dir, int) {
	t.Helper()
	rules, err := newRuleset(root, Builtin())
	if err != nil {
		t.Fatal(err)
	}
	f, err := openRoot(root, plan.ID{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(f) })
	return newWorker(newWalk(root, f, rules)), &dir{suspect: none, fd: -1, name: "x"}, f
}

// TestShellGame moves a hidden file to and fro while others walk. Every walk must
// find it somewhere or end; that it is elsewhere by then, the launch sees for itself.
func TestShellGame(t *testing.T) {
	root := tree(t, "api/.env", "node_modules/x")
	for i := range 40 {
		grow(t, root, fmt.Sprintf("d%d/e/f", i), fmt.Sprintf("node_modules/d%d/e/f", i))
	}
	id := idAt(t, root+"/api/.env")
	var s shelf
	walkLater(t, root, Builtin(), &s)
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			from, to := root+"/api", root+"/node_modules/api"
			if i%2 == 1 {
				from, to = to, from
			}
			os.Rename(from, to)
		}
	})
	walks, refused := 0, 0
	for start := time.Now(); time.Since(start) < 500*time.Millisecond || walks < 20; walks++ {
		r, err := walkAt(later(), Request{Root: root, Patterns: Builtin(), Shelf: s.copied()})
		if refusal(err) != "" {
			refused++
			continue
		}
		if err != nil {
			t.Error(err)
			break
		}
		if !slices.ContainsFunc(r.Hits, func(h plan.Hit) bool { return h.ID == id }) {
			t.Errorf("missed, in walk %d", walks)
		}
	}
	close(stop)
	group.Wait()
	if t.Logf("%d walks, %d were refused", walks, refused); walks == refused {
		t.Error("no walk came to an end")
	}
}
