package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"jail/internal/sandbox/plan"
)

func TestOtherToolsFileOnlyTightens(t *testing.T) {
	b := newBench(t)
	b.in.OtherFile = filepath.Join(b.home, ".ai-jail")
	b.write(b.in.OtherFile, `command = ["bash"]
rw_maps = ["~/.ssh"]
mask = [
  "*.sql",
  "~/.config/x",
  "dump/"]
deny_paths = ["ledger/"]
no_gpu = true
no_docker = true
no_display = true
lockdown = false
allow_tcp_ports = [1]
`)
	b.write(b.in.UserFile, "docker = true\nmask = ['first']")
	r := b.load()
	p := r.Policy
	want := []string{"mask .env", "!mask .env.example", "mask first", "mask *.sql", "mask dump/", "deny secrets/", "deny ledger/"}
	if !slices.Equal(texts(p.Mask), want) {
		t.Errorf("patterns %q\nwant     %q", texts(p.Mask), want)
	}
	if p.GPU || p.Docker || p.Mode != plan.Normal || len(p.Writable) != 0 {
		t.Errorf("policy %+v", p)
	}
	if got, want := strings.Join(r.Other, " "), "allow_tcp_ports command lockdown no_display rw_maps"; got != want {
		t.Errorf("not taken: %s, want %s", got, want)
	}
	if m := p.Mask[4]; m.Reason.Line != 6 || m.Reason.File != b.in.OtherFile {
		t.Errorf("reason %+v", m.Reason)
	}
	text := "the file of another tool is not taken whole: " + b.in.OtherFile + `:5: mask: the pattern "~/.config/x" names the home`
	if len(p.Notes) != 1 || !strings.HasPrefix(p.Notes[0].Text, text) {
		t.Errorf("notes %+v, want %s", p.Notes, text)
	}
}

func TestOtherToolsLockdown(t *testing.T) {
	b := newBench(t)
	b.in.OtherFile = filepath.Join(b.home, ".ai-jail")
	b.write(b.in.OtherFile, "lockdown = true")
	if p := b.load().Policy; p.Mode != plan.Lockdown || p.Network != plan.NetworkNone || p.ModeReason.Line != 1 {
		t.Errorf("policy %+v", p)
	}
}

func TestOtherToolsBrokenFileIsANote(t *testing.T) {
	for _, c := range []struct {
		name  string
		make  func(path string) error
		notes int
	}{
		{"syntax", func(p string) error { return os.WriteFile(p, []byte("a ="), 0o600) }, 1},
		{"fifo", func(p string) error { return syscall.Mkfifo(p, 0o600) }, 1},
		{"link", func(p string) error { return os.Symlink("nothing", p) }, 1},
		{"directory", func(p string) error { return os.Mkdir(p, 0o700) }, 0},
		{"wrong types", func(p string) error {
			return os.WriteFile(p, []byte("mask = 1\nno_gpu = 'yes'\nlockdown = [1]"), 0o600)
		}, 0},
		{"missing", func(string) error { return nil }, 0},
	} {
		b := newBench(t)
		b.in.OtherFile = filepath.Join(b.home, ".ai-jail")
		must(t, c.make(b.in.OtherFile))
		b.write(b.file(0), "mask = ['x']")
		p := b.load().Policy
		if len(p.Notes) != c.notes || !p.GPU || p.Mode != plan.Normal {
			t.Errorf("%s: %+v", c.name, p.Notes)
		}
		if !slices.Contains(texts(p.Mask), "mask x") {
			t.Errorf("%s: the project's own file is lost", c.name)
		}
	}
}
