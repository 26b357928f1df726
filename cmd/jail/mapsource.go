package main

import (
	"os"
	"path/filepath"
	"strings"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// ledOut reports whether a link on the way from path to its end leads out of a place
// where commands may write: this project, another one, or what the configuration
// itself makes writable. Whoever wrote the path saw where it led, and a command of
// some run since may have put the link there.
func (g *gatherer) ledOut(path, end string) bool {
	real, rest := "/", strings.Split(path, "/")
	for len(rest) > 0 {
		at := filepath.Join(real, rest[0])
		rest = rest[1:]
		text, err := os.Readlink(at)
		if err != nil { // no link; what is not there at all never gets here
			real = at
			continue
		}
		if fence := g.fence(real); fence != "" && !plan.Below(end, fence) {
			return true
		}
		if filepath.IsAbs(text) {
			real = "/"
		}
		rest = append(strings.Split(text, "/"), rest...)
	}
	return false
}

// fence is the place that dir lies in and that commands may write to. Empty means none.
func (g *gatherer) fence(dir string) string {
	if plan.Below(dir, g.root.Path) {
		return g.root.Path
	}
	for _, m := range g.policy.Writable {
		if plan.Below(dir, m.Source) {
			return m.Source
		}
	}
	for ; dir != "/"; dir = filepath.Dir(dir) {
		var st unix.Stat_t
		if unix.Lstat(filepath.Join(dir, ".ai-jail"), &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
			return dir
		}
	}
	return ""
}
