package mask

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jail/internal/needed"
	"jail/internal/sandbox/plan"
)

func TestTracked(t *testing.T) { // F24
	git := needed.Program(t, "git")
	long := "long/" + strings.Repeat("n", 200) + "/" + strings.Repeat("m", 200) + "/" + strings.Repeat("o", 200)
	entries := []string{".env", "a/.env", "a/b.key", "a/.env.local", "secrets/k", "vault/x", "aa", "z", long + "/.env", "new\nline/.env"}
	for i := range 300 {
		entries = append(entries, fmt.Sprintf("src/dir%d/file%d.js", i%17, i))
	}
	for _, format := range []string{"sha1", "sha256"} {
		for _, version := range []string{"2", "3", "4"} {
			root := tree(t, entries...)
			run(t, git, root, "init", "-q", "--object-format="+format)
			run(t, git, root, "-c", "index.version="+version, "add", ".env", "a/b.key", "secrets", "src", long, "new\nline")
			if version == "3" {
				run(t, git, root, "add", "--intent-to-add", "a/.env.local") // needs the flags of version 3
			}
			run(t, git, root, "update-index", "--index-version", version)
			object := strings.Repeat("1", map[string]int{"sha1": 40, "sha256": 64}[format])
			run(t, git, root, "update-index", "--add", "--cacheinfo", "160000,"+object+",libs/sub")
			wantSubmodules(t, format+" version "+version, root+"/.git/index", "libs/sub")
			r := walkTree(t, root, append(Builtin(), user("!vault/")...))
			got, err := Tracked(root+"/.git/index", root, r.Hits)
			if err != nil {
				t.Fatalf("%s, version %s: %v", format, version, err)
			}
			want := []string{".env", "!a/b.key", long + "/.env", "new\nline/.env", "!secrets"}
			if version == "3" {
				want = []string{".env", "a/.env.local", "!a/b.key", long + "/.env", "new\nline/.env", "!secrets"}
			}
			wantPaths(t, format+" version "+version+": tracked", hits(root, Result{Hits: got}), want)
		}
	}
}

func wantSubmodules(t *testing.T, what, index string, want ...string) {
	t.Helper()
	data, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Submodules(data); err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: submodules %q, %v", what, got, err)
	}
}

func TestTrackedErrors(t *testing.T) {
	root := tree(t, ".env", "index: DIRC", "text: hello", "dir/", "link -> index")
	h := []plan.Hit{{Path: root + "/.env"}}
	for _, name := range []string{"index", "text", "dir", "link"} {
		if _, err := Tracked(filepath.Join(root, name), root, h); err == nil {
			t.Errorf("%s passes for an index", name)
		}
	}
	if got, err := Tracked(root+"/none", root, h); err != nil || len(got) != 0 {
		t.Errorf("no index gives %v, %v", got, err)
	}
}

func FuzzTracked(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x02" + strings.Repeat("\x00", 62) + "a\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = trackedIn(data, "/w", []plan.Hit{{Path: "/w/.env"}})
	})
}
