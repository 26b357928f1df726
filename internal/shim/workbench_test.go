package shim

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A bench is a data directory, a launcher and a directory of programs.
type bench struct {
	t        *testing.T
	data     string
	launcher string
	bin      string
}

func newBench(t *testing.T, programs ...string) bench {
	t.Helper()
	tmp := t.TempDir()
	b := bench{t, filepath.Join(tmp, "share", "jail"), filepath.Join(tmp, "jail"), filepath.Join(tmp, "bin")}
	must(t, os.WriteFile(b.launcher, []byte("#!launcher 1\n"), 0o755))
	must(t, os.Mkdir(b.bin, 0o755))
	for _, name := range programs {
		b.program(b.bin, name)
	}
	return b
}

func (b bench) program(dir, name string) {
	b.t.Helper()
	must(b.t, os.MkdirAll(dir, 0o755))
	must(b.t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755))
}

func (b bench) request(path ...string) Request {
	if path == nil {
		path = []string{b.bin}
	}
	return Request{DataDir: b.data, Launcher: b.launcher, Path: strings.Join(path, ":")}
}

func (b bench) install(req Request) Report {
	b.t.Helper()
	report, err := Install(req)
	if err != nil {
		b.t.Fatal(err)
	}
	b.agrees(report)
	return report
}

// agrees checks that the farm holds what the report says: whole, not writable,
// and nothing else.
func (b bench) agrees(report Report) {
	b.t.Helper()
	want, _ := os.ReadFile(b.launcher)
	for _, name := range report.Names {
		path := filepath.Join(report.Dir, name)
		info, err := os.Lstat(path)
		if err != nil {
			b.t.Fatal(err)
		}
		if info.Mode() != shimPerm {
			b.t.Errorf("%s has the mode %v", name, info.Mode())
		}
		if got, _ := os.ReadFile(path); string(got) != string(want) {
			b.t.Errorf("%s holds %q", name, got)
		}
	}
	entries, err := os.ReadDir(report.Dir)
	must(b.t, err)
	var visible []string
	for _, entry := range entries {
		switch name := entry.Name(); {
		case name[0] != '.':
			visible = append(visible, name)
		case !slices.Contains([]string{copyName, stateName, lockName, rootName}, name):
			b.t.Errorf("left behind: %s", name)
		}
	}
	if !slices.Equal(visible, report.Names) {
		b.t.Errorf("there are %v, said were %v", visible, report.Names)
	}
}

func (b bench) wantNames(report Report, names ...string) {
	b.t.Helper()
	if !slices.Equal(report.Names, names) {
		b.t.Errorf("shims %v, want %v", report.Names, names)
	}
}

func inode(t *testing.T, path string) uint64 {
	t.Helper()
	id, ok := identify(path)
	if !ok {
		t.Fatalf("%s is not there", path)
	}
	return id.Ino
}
