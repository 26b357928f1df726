package shim

import (
	"os"
	"path/filepath"
	"testing"
)

func benchFarm(b *testing.B) Request {
	b.Helper()
	dir := b.TempDir()
	launcher := filepath.Join(dir, "jail")
	if err := os.WriteFile(launcher, make([]byte, 4<<20), 0o755); err != nil {
		b.Fatal(err)
	}
	return Request{DataDir: filepath.Join(dir, "data"), Launcher: launcher, Path: os.Getenv("PATH")}
}

// BenchmarkInstallUnchanged is what a shell waits for at its start.
func BenchmarkInstallUnchanged(b *testing.B) {
	req := benchFarm(b)
	for b.Loop() {
		if _, err := Install(req); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOutside is what a shim adds to the real program outside of projects,
// less the start of Go.
func BenchmarkOutside(b *testing.B) {
	req := benchFarm(b)
	report, err := Install(req)
	if err != nil || len(report.Names) == 0 {
		b.Skipf("there is nothing on PATH to shim: %v", err)
	}
	self := filepath.Join(report.Dir, report.Names[0])
	env := []string{"PATH=" + report.Dir + ":" + req.Path}
	for b.Loop() {
		ids := FarmIDs(req.DataDir, self, "", req.Path)
		if _, err := Outside([]string{report.Names[0]}, env, "/", ids, find); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStoreOpen(b *testing.B) {
	store := Store{filepath.Join(b.TempDir(), "jail")}
	npm := Caches("npm")
	for b.Loop() {
		if _, err := store.Open("/srv/app", npm); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckDataDir(b *testing.B) {
	data, root := b.TempDir(), b.TempDir()
	for b.Loop() {
		if CheckDataDir(data, root) != nil {
			b.Fatal("refused")
		}
	}
}

func BenchmarkPresetFor(b *testing.B) {
	for b.Loop() {
		if _, ok := PresetFor("npm"); !ok {
			b.Fatal("no preset")
		}
	}
}
