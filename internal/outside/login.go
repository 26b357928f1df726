package outside

import (
	"path/filepath"
	"strings"
)

// LogsIn returns the names of the files of settings in which a command looks for a login
// to a registry: npm install, pip download, cargo publish; nil where it asks none.
func LogsIn(args []string) (files []string) {
	name, verb := filepath.Base(args[0]), ""
	for _, a := range args[1:] {
		if a != "" && a[0] != '-' {
			verb = a
			break
		}
	}
	asks := false
	switch {
	case name == "npm" || name == "pnpm" || name == "bun" || name == "yarn" || name == "yarnpkg":
		asks, files = Installs(args) || publishes(verb), []string{".npmrc", "rc", ".yarnrc.yml", ".bunfig.toml", "bunfig.toml"}
	case name == "cargo":
		asks, files = verb == "publish" || verb == "owner" || verb == "yank", []string{"credentials.toml", "credentials"}
	case name == "pip" || name == "pip3" || name == "uv" || strings.HasPrefix(name, "pip3."):
		asks, files = verb == "install" || verb == "download" || verb == "sync" || verb == "pip", []string{"pip.conf", "uv.toml"}
	}
	if !asks {
		return nil
	}
	return files
}

// publishes knows the verbs by which npm and its like speak of packages with a registry.
func publishes(verb string) bool {
	switch verb {
	case "publish", "unpublish", "deprecate", "dist-tag", "owner", "access", "whoami", "view", "info", "show", "team", "token", "profile":
		return true
	}
	return false
}
