package mask

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// forest makes a tree of that many directories with that many files in each, of
// the kinds that a project has, and one secret.
func forest(t testing.TB, dirs, files int) string {
	t.Helper()
	root := tree(t, "pkg0/.env")
	suffixes := [...]string{"js", "ts", "json", "py", "md"}
	for i := range dirs {
		d := filepath.Join(root, fmt.Sprintf("pkg%d/mod%d", i/40, i))
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
		for j := range files {
			p := filepath.Join(d, fmt.Sprintf("file_%03d.%s", j, suffixes[j%len(suffixes)]))
			if err := os.WriteFile(p, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

// TestAllocations holds that files cost none: only directories and hits do.
func TestAllocations(t *testing.T) {
	few, many := forest(t, 10, 10), forest(t, 10, 1000)
	count := func(root string) float64 {
		return testing.AllocsPerRun(5, func() { walkTree(t, root, Builtin()) })
	}
	a, b := count(few), count(many)
	if b > a+10 {
		t.Errorf("%.0f allocations for 100 files, %.0f for 10,000", a, b)
	}
}

func BenchmarkWalk(b *testing.B) {
	for _, size := range []struct{ dirs, files int }{{50, 20}, {1000, 100}} {
		root := forest(b, size.dirs, size.files)
		name := fmt.Sprintf("%dfiles", size.dirs*size.files)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r, err := Walk(Request{Root: root, Patterns: Builtin()}); err != nil || len(r.Hits) != 1 {
					b.Fatal(r, err)
				}
			}
		})
		b.Run(name+"/find", func(b *testing.B) {
			for b.Loop() {
				if err := exec.Command("find", root, "-name", ".env").Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
