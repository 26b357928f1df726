package shim

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// appears waits until a shim is in a farm.
func appears(t *testing.T, farm, name string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !runs(filepath.Join(farm, name)); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no shim %s", name)
		}
	}
}

// While a command runs, what appears in a directory of PATH gets its shim, by whatever
// way it comes there, and keeps it; the run's end takes away what is not there any more.
func TestFollow(t *testing.T) {
	b := newBench(t, "npm", "git")
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	venv, late := filepath.Join(root, ".venv/bin"), filepath.Join(root, "node_modules/.bin")
	b.program(venv, "pytest")
	b.install(b.request())
	req := b.rootRequest(root, venv, late, b.bin)
	farm := b.installRoot(req).Dir
	stop := follow(req, 0, time.Hour) // all that is found was heard of

	b.program(venv, "git")
	must(t, os.Chtimes(venv, time.Unix(1, 0), time.Unix(1, 0)))
	appears(t, farm, "git")

	b.program(late, "vite") // its directory is new too
	appears(t, farm, "vite")

	must(t, os.WriteFile(filepath.Join(venv, "ls"), []byte("#!/bin/sh\n"), 0o644))
	must(t, os.Chmod(filepath.Join(venv, "ls"), 0o755))
	appears(t, farm, "ls")

	b.program(filepath.Join(root, "other/bin"), "make")
	must(t, os.Rename(filepath.Join(root, ".venv"), filepath.Join(root, "away")))
	must(t, os.Rename(filepath.Join(root, "other"), filepath.Join(root, ".venv")))
	appears(t, farm, "make")

	// Of a link whose target becomes a program elsewhere no directory of PATH tells.
	stop()
	stop = follow(req, 0, time.Millisecond)
	must(t, os.WriteFile(filepath.Join(root, "tool"), []byte("#!/bin/sh\n"), 0o644))
	must(t, os.Symlink("../../tool", filepath.Join(venv, "find")))
	must(t, os.Chmod(filepath.Join(root, "tool"), 0o755))
	appears(t, farm, "find")
	if !runs(filepath.Join(farm, "git")) {
		t.Error("a shim was taken away while the command runs")
	}

	stop()
	b.program(venv, "late")
	b.wantNames(b.installRoot(req), "find", "late", "make", "vite")
}

// Most commands are over before anything is watched.
func TestFollowIsOverBeforeItBegins(t *testing.T) {
	b := newBench(t, "npm")
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	venv := filepath.Join(root, ".venv/bin")
	b.program(venv, "pytest")
	follow(b.rootRequest(root, venv, b.bin), time.Hour, still)()
	follow(b.rootRequest(root, b.bin), 0, still)()
	if IsFarm(RootFarmDir(b.data, root)) {
		t.Error("a command of no time had its directories watched")
	}
}

// Ended at any moment, it ends.
func TestFollowEnds(t *testing.T) {
	b := newBench(t, "npm")
	root := filepath.Join(filepath.Dir(b.bin), "proj")
	venv := filepath.Join(root, ".venv/bin")
	b.program(venv, "pytest")
	const grace = 3 * time.Millisecond
	for after := time.Duration(0); after < 3*grace; after += time.Millisecond {
		stop := follow(b.rootRequest(root, venv, b.bin), grace, still)
		time.Sleep(after)
		stop()
	}
	before, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	for _, fd := range before {
		if to, _ := os.Readlink("/proc/self/fd/" + fd.Name()); to == "anon_inode:inotify" {
			t.Error("a descriptor was left open")
		}
	}
}
