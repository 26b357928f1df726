package detect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"jail/internal/sandbox/plan"
)

// A shelf is a Memory in a variable that counts what was kept.
type shelf struct {
	text []byte
	kept int
}

func (s *shelf) memory() Memory {
	return Memory{Recall: func() []byte { return s.text }, Keep: func(b []byte) { s.text = b; s.kept++ }}
}

func etcFixture(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for path, mode := range map[string]os.FileMode{"shadow": 0o640, "passwd": 0o644, "sub/key": 0o600, "sub/open": 0o644} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func pathsOf(hits []plan.Source) (paths []string) {
	for _, h := range hits {
		paths = append(paths, filepath.Base(h.Path))
	}
	return paths
}

func TestMemoryAnswersAsTheWalkDoes(t *testing.T) {
	dir := etcFixture(t)
	later := time.Now().Add(10 * time.Second) // the fixture's time stamps have settled
	var s shelf
	first, err := unreadableSince(dir, s.memory(), later)
	if err != nil {
		t.Fatal(err)
	}
	second, err := unreadableSince(dir, s.memory(), later.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if s.kept != 1 || !slices.Equal(first, second) || !slices.Equal(pathsOf(first), []string{"shadow", "key"}) {
		t.Errorf("kept %d times, first %v, second %v", s.kept, first, second)
	}
}

func TestMemoryEnds(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"a new file":          func(dir string) error { return os.WriteFile(filepath.Join(dir, "sub/new"), nil, 0o600) },
		"a file that is gone": func(dir string) error { return os.Remove(filepath.Join(dir, "sub/key")) },
		"a file that was renamed": func(dir string) error {
			return os.Rename(filepath.Join(dir, "shadow"), filepath.Join(dir, "sub/shadow"))
		},
		"a directory replaced":   func(dir string) error { return os.Rename(filepath.Join(dir, "sub"), filepath.Join(dir, "sub2")) },
		"a directory's own mode": func(dir string) error { return os.Chmod(filepath.Join(dir, "sub"), 0o700) },
	} {
		dir := etcFixture(t)
		var s shelf
		now := time.Now().Add(10 * time.Second)
		if _, err := unreadableSince(dir, s.memory(), now); err != nil {
			t.Fatal(err)
		}
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		got, err := unreadableSince(dir, s.memory(), now)
		if err != nil {
			t.Fatal(err)
		}
		want, err := unreadable(dir)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, the directory has %v", name, pathsOf(got), pathsOf(want))
		}
	}
}

func TestMemoryIsNotBelieved(t *testing.T) {
	dir := etcFixture(t)
	now := time.Now().Add(10 * time.Second)
	var s shelf
	if _, err := unreadableSince(dir, s.memory(), now); err != nil {
		t.Fatal(err)
	}
	if _, ok := remembered(s.text, now); !ok {
		t.Fatal("what was just kept is not believed")
	}
	for name, c := range map[string]struct {
		text []byte
		at   time.Time
	}{
		"too old":         {s.text, now.Add(memoryAge + time.Second)},
		"from the future": {s.text, now.Add(-time.Second)},
		"nothing":         {nil, now},
		"another version": {append([]byte("x"), s.text...), now},
		"a cut line":      {s.text[:len(s.text)-len("/sub/key\n")-30], now},
		"an odd line":     {append(slices.Clone(s.text), "file x y z\nend\n"...), now},
	} {
		if _, ok := remembered(c.text, c.at); ok {
			t.Errorf("%s: believed", name)
		}
	}
}

// What changed within the last ticks may change again without another time stamp.
func TestMemoryWaitsUntilSettled(t *testing.T) {
	dir := etcFixture(t)
	var s shelf
	if _, err := unreadableSince(dir, s.memory(), time.Now()); err != nil {
		t.Fatal(err)
	}
	if s.kept != 0 {
		t.Error("kept what is too new")
	}
}

func FuzzRemembered(f *testing.F) {
	now := time.Unix(1_000_000, 0)
	f.Add([]byte("jail-etc 1 1000000\nfile 1 2 640,0 /etc/shadow\nend\n"))
	f.Add([]byte("jail-etc 1 1000000\nread 1 2 3 /\nend\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		hits, ok := remembered(b, now)
		if !ok && hits != nil {
			t.Error("hits of what is not believed")
		}
	})
}

// What is not within a caller's reach is not worth a mount, and all that is stays.
func TestWithinReach(t *testing.T) {
	dir := t.TempDir()
	var hits []plan.Source
	for name, mode := range map[string]os.FileMode{"own": 0o600, "shut": 0, "group": 0o060} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		hits = append(hits, plan.Source{Path: path, Type: plan.Regular})
	}
	for _, h := range withinReach(hits) {
		f, err := os.Open(h.Path)
		if err != nil {
			t.Errorf("%s is not within reach: %v", h.Path, err)
			continue
		}
		f.Close()
	}
	for _, h := range hits {
		kept := slices.ContainsFunc(withinReach(hits), func(s plan.Source) bool { return s.Path == h.Path })
		if f, err := os.Open(h.Path); err == nil && !kept {
			f.Close()
			t.Errorf("%s can be read and was left out", h.Path)
		}
	}
}
