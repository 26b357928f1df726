package detect

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSnap(t *testing.T) {
	top := t.TempDir()
	bin := filepath.Join(top, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"node": "/usr/bin/snap", "node.npm": "/usr/bin/snap", "npm": "node.npm", "go": "/usr/lib/go/bin/go", "loop": "loop",
	} {
		if err := os.Symlink(text, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"node": "node/current/bin/node", "node.npm": "node/current/bin/npm", "npm": "node/current/bin/npm",
		"go": "", "loop": "", "absent": "",
	} {
		got, is := snapIn(bin, name)
		if is != (want != "") || is && got != filepath.Join(top, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, is, want)
		}
	}
	if _, is := Snap(filepath.Join(bin, "node")); is {
		t.Error("a link to snap elsewhere counts as a snap's")
	}
}
