package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lendable is what makes a toolchain of a version manager's, by the directory of
// the home that it lies in.
func lendable() map[string][]string {
	return map[string][]string{
		".cargo":  {"bin"},
		".rustup": {"settings.toml", "toolchains/stable-*/bin", "toolchains/stable-*/lib"},
		".pyenv":  {"bin", "libexec", "shims", "version", "versions/*/bin", "versions/*/lib/libpython*", "versions/*/lib/python*"},
	}
}

// unneeded is left out: large, and not needed to run something small.
func unneeded(name string) bool {
	return slices.Contains([]string{"site-packages", "test", "tests", "idlelib", "lib2to3", "tkinter", "turtledemo", "ensurepip", "__pycache__"}, name) ||
		strings.HasPrefix(name, "config-")
}

// lend gives the test user the toolchains of root's home in a home of its own,
// for the price of their names. Where that is not possible the scripts that want
// them say so.
func lend(t *testing.T, from, to string) {
	t.Helper()
	for dir, parts := range lendable() {
		target := filepath.Join(to, dir)
		if _, err := os.Lstat(target); err == nil && !isLent(target) {
			continue // the user's own
		}
		os.RemoveAll(target) // of a run that was ended before it could do so
		for _, part := range parts {
			paths, _ := filepath.Glob(filepath.Join(from, dir, part))
			if strings.HasPrefix(part, "versions/") {
				paths = slices.DeleteFunc(paths, func(p string) bool { return !chosen(from, p) })
			}
			for _, p := range paths {
				rel, _ := filepath.Rel(from, p)
				linkTree(p, filepath.Join(to, rel))
			}
		}
		os.WriteFile(filepath.Join(target, lentMark), nil, 0o644)
		t.Cleanup(func() { os.RemoveAll(target) })
	}
}

// lentMark is a file in each directory that lend made.
const lentMark = ".lent"

func isLent(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, lentMark))
	return err == nil
}

// chosen reports whether path belongs to the version that pyenv runs: one is
// enough.
func chosen(home, path string) bool {
	b, err := os.ReadFile(filepath.Join(home, ".pyenv/version"))
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(filepath.Join(home, ".pyenv/versions", strings.TrimSpace(string(b))), path)
	return err == nil && filepath.IsLocal(rel)
}

// linkTree makes to the same as from by hard links.
func linkTree(from, to string) {
	filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		rel, _ := filepath.Rel(from, path)
		at := filepath.Join(to, rel)
		switch {
		case e.IsDir() && unneeded(e.Name()):
			return filepath.SkipDir
		case e.IsDir():
			os.MkdirAll(at, 0o755)
		case e.Type()&fs.ModeSymlink != 0:
			if text, err := os.Readlink(path); err == nil {
				os.Symlink(text, at)
			}
		default:
			os.MkdirAll(filepath.Dir(at), 0o755)
			os.Link(path, at)
		}
		return nil
	})
}
