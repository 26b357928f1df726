package detect

import (
	"path"
	"slices"
	"strings"

	"jail/internal/sandbox/plan"
)

// wrapped adds what a script of the user's starts in its own place: a program, or
// a package of JavaScript that node is to run. A script of the project names
// nothing that would be shown.
func (f *finder) wrapped(script string, paths []string) {
	if f.planted || f.depth == maxDepth || f.inRoot(script) {
		return
	}
	f.depth++
	from := f.from
	f.from = script
	for _, p := range paths {
		if p = path.Clean(p); f.in.System(p) || f.inRoot(p) || f.done[p] {
			continue
		}
		f.done[p] = true
		if isJavaScript(p) {
			f.packageOf(p)
		} else {
			f.follow(p)
		}
	}
	f.from = from
	f.depth--
}

// isJavaScript reports whether a file is one for node by its name; such a file need
// not be executable.
func isJavaScript(file string) bool {
	return slices.Contains([]string{".js", ".cjs", ".mjs"}, path.Ext(file))
}

// packageOf adds the package that file belongs to: the nearest directory above it
// with a package.json, if that is an installed package and not somebody's work.
func (f *finder) packageOf(file string) {
	src, err := f.reach(file)
	if err != nil || src.Type != plan.Regular || f.visible(src.Path) || f.covered(src.Path) {
		return
	}
	f.why = "package, for " + f.from
	trail := slices.Clone(f.trail)
	if f.packages(src.Path) {
		f.trail = trail
		f.commit()
		return
	}
	f.linkedSecrets()
	for dir := parent(src.Path); !f.nearHome(dir) && !strings.HasSuffix(dir, "/"); dir = parent(dir) {
		if !f.has(join(dir, "package.json")) {
			continue
		}
		if f.isPublished(dir) && !f.isWork(dir) && !f.isCommon(dir) && f.show(dir) {
			f.trail = trail
			f.commit()
		}
		return
	}
}

// isPublished reports whether a package looks as it came from a registry. Somebody's
// own work has a lock file in it, which is never published, or names that begin with
// a dot, of which .env is one.
func (f *finder) isPublished(dir string) bool {
	entries := f.list(dir)
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(e entry) bool {
		return e.name[0] == '.' || e.name == "package-lock.json" || e.name == "pnpm-lock.yaml" || e.name == "yarn.lock" || e.name == "bun.lock"
	})
}
