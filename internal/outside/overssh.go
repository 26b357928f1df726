package outside

import (
	"path/filepath"
	"slices"
	"strings"
)

// OverSSH reports whether a command that fetches, or what the project depends on, names
// an address that is reached by ssh. It fails then for want of a key: none is inside.
func OverSSH(args []string, dir, root string, read Reader) bool {
	if slices.ContainsFunc(args[1:], sshAddress) {
		return true
	}
	if Installs(args) {
		for ; within(dir, root); dir = filepath.Dir(dir) {
			if m, ok := manifestOf(filepath.Join(dir, "package.json"), read); ok {
				return m.overSSH()
			}
		}
		return false
	}
	for _, name := range fetches(args) {
		b, err := read(filepath.Join(dir, name))
		if err == nil && slices.ContainsFunc(strings.FieldsFunc(string(b), between), sshAddress) {
			return true
		}
	}
	return false
}

func (m manifest) overSSH() bool {
	for _, list := range []map[string]string{m.Dependencies, m.Development, m.Optional} {
		for _, spec := range list {
			// npm asks the forges by ssh where nobody may read without a login.
			if sshAddress(spec) || strings.HasPrefix(spec, "github:") || strings.HasPrefix(spec, "gitlab:") || strings.HasPrefix(spec, "bitbucket:") {
				return true
			}
		}
	}
	return false
}

// fetches are the manifests of what a command that fetches goes by. What only builds
// fails for other reasons, mostly.
func fetches(args []string) []string {
	verb := ""
	if i := slices.IndexFunc(args[1:], func(a string) bool { return a != "" && a[0] != '-' }); i >= 0 {
		verb = args[1+i]
	}
	switch name := filepath.Base(args[0]); {
	case strings.HasPrefix(name, "pip") && (verb == "install" || verb == "download" || verb == "wheel"):
		return []string{"requirements.txt", "requirements-dev.txt", "pyproject.toml"}
	case (name == "poetry" || name == "uv") && (verb == "add" || verb == "install" || verb == "lock" || verb == "sync" || verb == "update"):
		return []string{"pyproject.toml"}
	case name == "cargo" && (verb == "fetch" || verb == "update" || verb == "generate-lockfile"):
		return []string{"Cargo.toml"}
	}
	return nil
}

// between are the characters around an address in a manifest.
func between(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`,;()[]{}<>=", r) }

// sshAddress knows ssh://, git+ssh:// and git@host:path.
func sshAddress(word string) bool {
	for _, scheme := range [...]string{"ssh://", "git+ssh://", "git@"} {
		if strings.HasPrefix(word, scheme) {
			return true
		}
	}
	return false
}
