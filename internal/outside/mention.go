package outside

import (
	"path/filepath"
	"strings"
)

// manifests are the files in which projects of all kinds name others beside them.
var manifests = [...]string{
	"Cargo.toml", "go.mod", "go.work", "package.json", "pyproject.toml", "requirements.txt", "requirements-dev.txt", "tsconfig.json",
}

// Bounds of what is read of hostile files and long command lines.
const (
	maxMentions = 50
	maxWord     = 512
)

// Mentions returns what the arguments of a command and the manifests in dir, and in
// root, name that lies outside of root. It reads manifests as text: whatever begins
// with ../ in one is a path, or it does not exist, and then the caller drops it.
func Mentions(args []string, dir, root string, read Reader) []Name {
	m := &mentions{root: root}
	for _, a := range args[1:] {
		if _, value, ok := strings.Cut(a, "="); ok && strings.HasPrefix(a, "-") {
			a = value
		}
		m.add(a, dir, "")
	}
	dirs := []string{dir}
	if dir != root {
		dirs = append(dirs, root)
	}
	for _, d := range dirs {
		for _, name := range manifests {
			file := filepath.Join(d, name)
			if b, err := read(file); err == nil {
				m.text(string(b), file)
			}
		}
	}
	return m.found
}

type mentions struct {
	root  string
	found []Name
}

// text adds each word of a manifest that leads upwards.
func (m *mentions) text(text, file string) {
	for len(m.found) < maxMentions {
		i := strings.Index(text, "../")
		if i < 0 {
			return
		}
		inside := i > 0 && (text[i-1] == '/' || text[i-1] == '.' || text[i-1] > ' ' && !strings.ContainsRune("\"'`=:,([{", rune(text[i-1])))
		text = text[i:]
		end := strings.IndexAny(text, " \t\r\n\"'`,;)]}")
		if end < 0 {
			end = len(text)
		}
		if end <= maxWord && !inside {
			m.add(text[:end], filepath.Dir(file), file)
		}
		text = text[end:]
	}
}

func (m *mentions) add(word, dir, file string) {
	path, ok := local(word, dir)
	if !ok || within(path, m.root) || within(m.root, path) || len(m.found) == maxMentions {
		return
	}
	for _, f := range m.found {
		if f.Path == path {
			return
		}
	}
	m.found = append(m.found, Name{Path: path, Text: word, File: file})
}
