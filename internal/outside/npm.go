package outside

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// A Name is a path outside of the project, and where it is named.
type Name struct {
	Path string // absolute and clean
	Text string // as it is written
	File string // the manifest; empty for an argument
}

// A Reader returns the content of a file of the project.
type Reader func(path string) ([]byte, error)

// Installs reports whether a command of the npm family makes links to its
// dependencies. args[0] is its name.
func Installs(args []string) bool {
	name := filepath.Base(args[0])
	verb := ""
	for _, a := range args[1:] {
		if !strings.HasPrefix(a, "-") {
			verb = a
			break
		}
	}
	switch name {
	case "npm", "pnpm", "bun":
		switch verb {
		case "install", "i", "in", "ins", "add", "ci", "clean-install", "ic", "install-test", "it", "cit", "update", "up", "upgrade", "dedupe", "link", "ln":
			return true
		}
	case "yarn", "yarnpkg":
		switch verb {
		case "", "install", "add", "upgrade", "up":
			return true
		}
	}
	return false
}

// maxWorkspaces bounds how many manifests of a workspace are read.
const maxWorkspaces = 200

// Dependencies returns the dependencies of the package that dir belongs to, and of
// the workspaces in it, that are directories or archives outside of root.
func Dependencies(dir, root string, read Reader) []Name {
	for ; within(dir, root); dir = filepath.Dir(dir) {
		file := filepath.Join(dir, "package.json")
		m, ok := manifestOf(file, read)
		if !ok {
			if dir == root {
				break
			}
			continue
		}
		found := m.outside(file, root)
		for _, sub := range m.members(dir) {
			file := filepath.Join(sub, "package.json")
			if m, ok := manifestOf(file, read); ok {
				found = append(found, m.outside(file, root)...)
			}
		}
		return found
	}
	return nil
}

// A manifest is what of package.json counts here.
type manifest struct {
	Dependencies   map[string]string `json:"dependencies"`
	Development    map[string]string `json:"devDependencies"`
	Optional       map[string]string `json:"optionalDependencies"`
	Workspaces     json.RawMessage   `json:"workspaces"`
	workspaceGlobs []string
}

func manifestOf(file string, read Reader) (m manifest, ok bool) {
	b, err := read(file)
	if err != nil || json.Unmarshal(b, &m) != nil {
		return m, false
	}
	var object struct {
		Packages []string `json:"packages"`
	}
	if json.Unmarshal(m.Workspaces, &m.workspaceGlobs) != nil && json.Unmarshal(m.Workspaces, &object) == nil {
		m.workspaceGlobs = object.Packages
	}
	return m, true
}

// members are the directories of a workspace: those that are named, and those that
// a pattern names which ends in a star.
func (m manifest) members(dir string) (found []string) {
	for _, g := range m.workspaceGlobs {
		if !filepath.IsLocal(g) {
			continue
		}
		dirs, _ := filepath.Glob(filepath.Join(dir, strings.ReplaceAll(g, "**", "*")))
		found = append(found, dirs[:min(len(dirs), maxWorkspaces)]...)
	}
	return found[:min(len(found), maxWorkspaces)]
}

func (m manifest) outside(file, root string) (found []Name) {
	for _, list := range []map[string]string{m.Dependencies, m.Development, m.Optional} {
		for _, spec := range list {
			if path, ok := local(spec, filepath.Dir(file)); ok && !within(path, root) {
				found = append(found, Name{Path: path, Text: spec, File: file})
			}
		}
	}
	slices.SortFunc(found, func(a, b Name) int { return strings.Compare(a.Path, b.Path) })
	return found
}

// local is the path that a dependency means, if it means one.
func local(spec, dir string) (string, bool) {
	named := false
	for _, scheme := range [...]string{"file:", "link:", "portal:"} {
		if rest, ok := strings.CutPrefix(spec, scheme); ok {
			spec, named = rest, true
			break
		}
	}
	spec = strings.TrimPrefix(spec, "//") // file:///srv/lib
	switch {
	case spec == "" || strings.ContainsAny(spec, "\x00\n"):
		return "", false
	case filepath.IsAbs(spec):
		return filepath.Clean(spec), true
	case named || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../"):
		return filepath.Join(dir, spec), true
	}
	return "", false
}

// within reports whether path is dir or lies below it, by whole components.
func within(path, dir string) bool {
	if path == dir {
		return true
	}
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/"))
	return ok && rest != "" && rest[0] == '/'
}
