package shim

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"jail/internal/sandbox/plan"
)

func TestKeysAreReadableAndApart(t *testing.T) {
	roots := []string{
		"/home/u/proj", "/home/u2/proj", "/home/u/proj ", "/home/u/Proj", "/home/u/proj\n", "/home/u/\xff\xfe", "/home/u/\xff\xfd",
		"/", "/a/.hidden", "/a/_hidden", "/a/" + strings.Repeat("x", 255), "/a/" + strings.Repeat("x", 254) + "y", "/a/b/c", "/a_b/c", "/a/..", "/shared",
	}
	seen := map[string]string{}
	for _, root := range roots {
		key := Key(root)
		if other, ok := seen[key]; ok {
			t.Errorf("%q and %q have the key %q", root, other, key)
		}
		seen[key] = root
		if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" || key[0] == '.' || len(key) > 60 || key == shared {
			t.Errorf("%q has the key %q", root, key)
		}
	}
	if key := Key("/home/u/proj"); !strings.HasPrefix(key, "proj-") || len(key) != len("proj-")+16 {
		t.Errorf("the key %q does not name the project", key)
	}
}

func TestOpenCreatesWhatIsMissing(t *testing.T) {
	store := Store{filepath.Join(t.TempDir(), "not", "yet", "jail")}
	cargo := Caches("cargo")
	sources, err := store.Open("/srv/app", cargo)
	if err != nil {
		t.Fatal(err)
	}
	for i, src := range sources {
		info, err := os.Lstat(src.Path)
		if err != nil {
			t.Fatal(err)
		}
		if src.Path != storeOf(store, "/srv/app", cargo[i]) || src.Type != cargo[i].Type || src.ID.IsZero() {
			t.Errorf("%+v", src)
		}
		if info.IsDir() != (src.Type == plan.Directory) || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", src.Path, info.Mode())
		}
	}
	named, err := os.ReadFile(filepath.Join(filepath.Dir(sources[0].Path), "root"))
	if string(named) != "/srv/app" {
		t.Errorf("the store says it is of %q, %v", named, err)
	}
	again, err := store.Open("/srv/app", cargo)
	if err != nil || again[0].ID != sources[0].ID {
		t.Errorf("the second time it is %+v, %v", again, err)
	}
	if leftover, _ := filepath.Glob(filepath.Join(store.DataDir, "cache", "*", ".*")); leftover != nil {
		t.Errorf("left behind: %v", leftover)
	}
}

func TestLookWritesNothing(t *testing.T) {
	store := Store{filepath.Join(t.TempDir(), "jail")}
	sources, err := store.Look("/srv/app", Caches("npm"))
	if err != nil || len(sources) != len(Caches("npm")) {
		t.Fatal(sources, err)
	}
	for _, src := range sources {
		if src.Type != plan.Absent || !filepath.IsAbs(src.Path) {
			t.Errorf("%+v", src)
		}
	}
	if _, err := os.Lstat(store.DataDir); !os.IsNotExist(err) {
		t.Errorf("the data directory is there: %v", err)
	}
	opened, err := store.Open("/srv/app", Caches("npm"))
	if err != nil {
		t.Fatal(err)
	}
	if sources, err = store.Look("/srv/app", Caches("npm")); err != nil || sources[0] != opened[0] {
		t.Errorf("%+v, %v", sources, err)
	}
}

func TestStoresOfRootsAreApartAndSharedIsOne(t *testing.T) {
	store := Store{filepath.Join(t.TempDir(), "jail")}
	a, errA := store.Open("/a", Caches("uv"))
	b, errB := store.Open("/b", Caches("uv"))
	one, errOne := store.OpenShared(Caches("uv"))
	two, errTwo := store.LookShared(Caches("uv"))
	if err := errors.Join(errA, errB, errOne, errTwo); err != nil {
		t.Fatal(err)
	}
	if a[0].ID == b[0].ID || a[0].ID == one[0].ID || one[0].ID != two[0].ID {
		t.Error(a, b, one, two)
	}
}

// Many jails of one root may start at once.
func TestOpenAtOnce(t *testing.T) {
	store := Store{filepath.Join(t.TempDir(), "jail")}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if _, err := store.Open("/srv/app", Caches("cargo")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// However a store is bent, opening it is an error with a hint, and what it was
// bent to stays as it was.
func TestBentStoreIsRefused(t *testing.T) {
	for name, bend := range map[string]func(t *testing.T, data, victim string){
		"cache is a link": func(t *testing.T, data, victim string) { swap(t, filepath.Join(data, "cache"), victim) },
		"key is a link":   func(t *testing.T, data, victim string) { swap(t, filepath.Join(data, "cache", Key("/r")), victim) },
		"store is a link": func(t *testing.T, data, victim string) {
			swap(t, filepath.Join(data, "cache", Key("/r"), "npm"), victim)
		},
		"root names another": func(t *testing.T, data, victim string) {
			must(t, os.WriteFile(filepath.Join(data, "cache", Key("/r"), "root"), []byte("/rr"), 0o600))
		},
		"root names the beginning": func(t *testing.T, data, victim string) {
			must(t, os.WriteFile(filepath.Join(data, "cache", Key("/r"), "root"), []byte("/"), 0o600))
		},
		"store is a file": func(t *testing.T, data, victim string) {
			path := filepath.Join(data, "cache", Key("/r"), "npm")
			must(t, os.Remove(path))
			must(t, os.WriteFile(path, nil, 0o600))
		},
		"data is everybody's": func(t *testing.T, data, victim string) { must(t, os.Chmod(data, 0o777)) },
		"key is everybody's": func(t *testing.T, data, victim string) {
			must(t, os.Chmod(filepath.Join(data, "cache", Key("/r")), 0o770))
		},
	} {
		t.Run(name, func(t *testing.T) {
			tmp := t.TempDir()
			victim := filepath.Join(tmp, "victim")
			must(t, os.Mkdir(victim, 0o700))
			store := Store{filepath.Join(tmp, "jail")}
			if _, err := store.Open("/r", Caches("npm")); err != nil {
				t.Fatal(err)
			}
			bend(t, store.DataDir, victim)
			for _, try := range []func(string, []CacheDir) ([]plan.Source, error){store.Open, store.Look} {
				_, err := try("/r", Caches("npm"))
				var unsafe *UnsafeError
				if !errors.As(err, &unsafe) || unsafe.Hint == "" || unsafe.Cause == "" {
					t.Errorf("%v", err)
				}
			}
			if entries, _ := os.ReadDir(victim); len(entries) != 0 {
				t.Errorf("something was written behind the link: %v", entries)
			}
		})
	}
}

// A jailed command may do this to the directory it was given; the next one of the
// same project must not fail for it.
func TestChangedPermissionsOfAStoreAreNoMatter(t *testing.T) {
	store := Store{filepath.Join(t.TempDir(), "jail")}
	sources, err := store.Open("/r", Caches("uv"))
	if err != nil {
		t.Fatal(err)
	}
	must(t, os.Chmod(sources[0].Path, 0o777))
	if _, err := store.Open("/r", Caches("uv")); err != nil {
		t.Error(err)
	}
}

// swap moves path away and puts a link to target in its place.
func swap(t *testing.T, path, target string) {
	t.Helper()
	must(t, os.Rename(path, path+".away"))
	must(t, os.Symlink(target, path))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// storeOf is the path of a root's store for one cache.
func storeOf(s Store, root string, c CacheDir) string {
	return filepath.Join(s.DataDir, "cache", Key(root), c.Name)
}
