package shim

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestInspect(t *testing.T) {
	b := newBench(t, "npm", "pip", "uv")
	look := func() Condition {
		t.Helper()
		c, err := Inspect(b.data, b.launcher)
		must(t, err)
		return c
	}
	if c := look(); c.Exists {
		t.Errorf("before it exists: %+v", c)
	}
	farm := b.install(b.request()).Dir
	if c := look(); !c.Exists || c.Old || c.NoExec || len(c.Faults) != 0 {
		t.Errorf("as installed: %+v", c)
	}
	before := inode(t, filepath.Join(farm, "npm"))
	must(t, os.Remove(filepath.Join(farm, "npm")))
	must(t, os.Symlink("nowhere", filepath.Join(farm, "npm")))
	must(t, os.Remove(filepath.Join(farm, "pip")))
	must(t, os.WriteFile(filepath.Join(farm, "pip"), []byte("#!/bin/sh\n"), 0o755))
	must(t, os.Chmod(filepath.Join(farm, "uv"), 0o444)) // and with it its copy
	got := strings.Join(look().Faults, "; ")
	if got != `".jail" cannot be executed; "npm" is a link; "pip" is another program; "uv" cannot be executed` {
		t.Errorf("%s", got)
	}
	if id, _ := identify(filepath.Join(farm, "npm")); id.Ino == before {
		t.Error("it was repaired")
	}
	b.install(b.request())
	if c := look(); len(c.Faults) != 0 {
		t.Errorf("after a refresh: %+v", c)
	}
	later := time.Now().Add(time.Minute)
	must(t, os.Chtimes(b.launcher, later, later))
	if c := look(); !c.Old {
		t.Errorf("with another launcher: %+v", c)
	}
	must(t, os.Remove(filepath.Join(farm, copyName)))
	if c := look(); !slices.Equal(c.Faults, []string{".jail is missing"}) {
		t.Errorf("without a copy: %+v", c)
	}
	must(t, os.Chmod(b.data, 0o777))
	var unsafe *UnsafeError
	if _, err := Inspect(b.data, b.launcher); !errors.As(err, &unsafe) {
		t.Errorf("open to others: %v", err)
	}
}
