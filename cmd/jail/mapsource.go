package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// follow resolves a path that the configuration shows, and reports whether a link on
// the way leads out of a place where commands may write: this project, another one,
// or what the configuration itself makes writable. Whoever wrote the path saw where it
// led, and a command of some run since may have put the link there. It is one walk,
// so that nobody can take the link away between the one question and the other.
func (g *gatherer) follow(path string) (real string, out bool, err error) {
	const most = 40 // as the kernel has it
	if !filepath.IsAbs(path) {
		return "", false, os.ErrNotExist
	}
	var fences []string
	real = "/"
	for rest, links := strings.Split(path, "/"), 0; len(rest) > 0; {
		at := filepath.Join(real, rest[0])
		rest = rest[1:]
		text, err := os.Readlink(at)
		if err != nil { // no link, or nothing at all, as the look at the end tells
			real = at
			continue
		}
		if links++; links > most {
			return "", false, unix.ELOOP
		}
		if fence := g.fence(real); fence != "" {
			fences = append(fences, fence)
		}
		if filepath.IsAbs(text) {
			real = "/"
		}
		rest = append(strings.Split(text, "/"), rest...)
	}
	out = slices.ContainsFunc(fences, func(fence string) bool { return !plan.Below(real, fence) })
	return real, out, nil
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
