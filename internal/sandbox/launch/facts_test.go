package launch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// With each version of Landlock that this kernel can stand in for, honest work goes on
// and what must hold holds: by that version, or by the other walls alone.
func TestLandlockVersions(t *testing.T) {
	const script = `
mkdir -p a b && echo one >a/file && mv a/file b/file && ln b/file a/other && cat a/other
: >b/file && [ ! -s a/other ] && echo truncated
echo x 2>/dev/null >/usr/planted || echo no usr
echo x 2>/dev/null >/etc/planted || echo no etc
cat OUTSIDE/secret 2>/dev/null || echo no secret
echo x 2>/dev/null >ro/planted || echo no write
cat ro/file`
	const want = "one\ntruncated\nno usr\nno etc\nno secret\nno write\nreadable"
	for abi := range landlockABI() + 1 {
		in := input(t, "/bin/sh")
		in.Facts.Kernel.LandlockABI = abi
		outside := t.TempDir()
		ro := filepath.Join(in.Root.Path, "ro")
		for path, text := range map[string]string{outside + "/secret": "SENTINEL\n", ro + "/file": "readable\n"} {
			os.MkdirAll(filepath.Dir(path), 0o755)
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		in.Found.Pins = []plan.Pinned{{Source: stat(t, ro), ReadOnly: true}}
		if got := shell(t, in, strings.ReplaceAll(script, "OUTSIDE", outside)); got != want {
			t.Errorf("ABI %d: %q, want %q", abi, got, want)
		}
	}
}

// Without a control-group namespace the launch makes do, as Build says in a note.
func TestWithoutCgroupNamespace(t *testing.T) {
	in := input(t, "/bin/true")
	in.Facts.Kernel.CgroupNS = false
	if r := run(t, in); r.Code != 0 {
		t.Errorf("%+v", r)
	}
}
