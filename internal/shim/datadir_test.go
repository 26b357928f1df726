package shim

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDataDir(t *testing.T) {
	for _, test := range []struct{ xdg, data, config string }{
		{"", "/home/u/.local/share/jail", "/home/u/.config/jail"},
		{"/x", "/x/jail", "/x/jail"},
		{"/x/../y/", "/y/jail", "/y/jail"},
		{"x", "/home/u/.local/share/jail", "/home/u/.config/jail"},
		{"~/x", "/home/u/.local/share/jail", "/home/u/.config/jail"},
	} {
		if got := DataDir("/home/u", test.xdg); got != test.data {
			t.Errorf("DataDir with %q: %s", test.xdg, got)
		}
		if got := ConfigDir("/home/u", test.xdg); got != test.config {
			t.Errorf("ConfigDir with %q: %s", test.xdg, got)
		}
	}
}

func TestCheckDataDir(t *testing.T) {
	tmp := t.TempDir()
	for _, dir := range []string{"proj/sub", "proj-evil", "data/jail/inner", "home/.local/share"} {
		must(t, os.MkdirAll(filepath.Join(tmp, dir), 0o700))
	}
	must(t, os.Symlink(filepath.Join(tmp, "proj"), filepath.Join(tmp, "link")))
	must(t, os.Symlink(filepath.Join(tmp, "data"), filepath.Join(tmp, "datalink")))
	for _, test := range []struct{ dir, root, says string }{
		{"data/jail", "proj", ""},
		{"proj-evil/jail", "proj", ""},                 // another name, though it begins alike
		{"home/.local/share/jail", "home/src/app", ""}, // neither exists
		{"proj", "proj", "lies in"},
		{"proj/jail", "proj", "lies in"},
		{"proj/not/yet/jail", "proj", "lies in"},
		{"link/jail", "proj", "lies in"},
		{"link/sub/jail", "proj", "lies in"},
		{"proj/jail", "link", "lies in"},
		{"data/jail", "data/jail/inner", "contains"},
		{"datalink/jail", "data/jail/inner", "contains"},
		{"data/jail", "datalink/jail/inner", "contains"},
		{"home/.local/share/jail", "home/.local", "lies in"},
	} {
		err := CheckDataDir(filepath.Join(tmp, test.dir), filepath.Join(tmp, test.root))
		if test.says == "" {
			if err != nil {
				t.Errorf("%s with the project %s: %v", test.dir, test.root, err)
			}
			continue
		}
		var unsafe *UnsafeError
		if !errors.As(err, &unsafe) || !strings.Contains(unsafe.Cause, test.says) || unsafe.Hint == "" {
			t.Errorf("%s with the project %s: %v", test.dir, test.root, err)
		}
	}
}

func TestCheckOnPath(t *testing.T) {
	if CheckOnPath("/home/u/.local/share/jail/shims") != nil || CheckOnPath("/a:b/shims") == nil {
		t.Error("a colon, and only a colon, cannot be on PATH")
	}
}
