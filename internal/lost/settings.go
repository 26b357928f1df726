package lost

import (
	"path"
	"slices"
	"strings"
)

// CargoLogin is where cargo login writes to; the token may be its argument.
const CargoLogin = ".cargo/credentials.toml"

// Settings returns the file below the home into which a command writes settings for the
// whole account, or a login: npm config set, pip config set, go env -w, cargo login.
// Inside such a file is a copy or not there at all, so the command fails or says that
// all went well, and the next one finds nothing. Empty where args is none of those.
func Settings(args []string) (file string) {
	if len(args) < 2 {
		return ""
	}
	name, rest := path.Base(args[0]), args[1:]
	if strings.HasPrefix(name, "python") && len(rest) > 2 && rest[0] == "-m" {
		name, rest = rest[1], rest[2:]
	}
	if strings.HasPrefix(name, "pip") && name != "pipx" {
		name = "pip"
	}
	words := slices.DeleteFunc(slices.Clone(rest), func(a string) bool { return a == "" || a[0] == '-' })
	first, second := word(words, 0), word(words, 1)
	switch name {
	case "npm", "pnpm":
		return npmSettings(name, first, second, rest)
	case "yarn":
		if first == "login" || first == "npm" && second == "login" {
			return ".yarnrc"
		}
	case "pip":
		if first == "config" && changes(second) && !slices.Contains(rest, "--site") {
			return ".config/pip/pip.conf"
		}
	case "poetry":
		if first == "config" && (len(words) > 2 || slices.Contains(rest, "--unset")) && !slices.Contains(rest, "--local") {
			return ".config/pypoetry/config.toml"
		}
	case "go":
		if first == "env" && (slices.Contains(rest, "-w") || slices.Contains(rest, "-u")) {
			return ".config/go/env"
		}
	case "cargo":
		if first == "login" || first == "logout" {
			return CargoLogin
		}
	case "git":
		if first == "config" && slices.Contains(rest, "--global") && !reads(rest) {
			return ".gitconfig"
		}
	}
	return ""
}

func npmSettings(name, first, second string, rest []string) string {
	file := ".npmrc"
	if name == "pnpm" {
		file = ".config/pnpm/rc"
	}
	if slices.ContainsFunc(rest, func(a string) bool { return a == "project" || a == "--location=project" }) {
		return "" // it is told where
	}
	switch first {
	case "config", "c":
		if changes(second) {
			return file
		}
	case "set", "login", "adduser", "add-user", "logout":
		return file
	}
	return ""
}

// changes reports whether the verb of a tool's settings writes them.
func changes(verb string) bool {
	switch verb {
	case "set", "unset", "delete", "rm", "edit", "fix":
		return true
	}
	return false
}

// reads reports whether git config is only asked.
func reads(args []string) bool {
	words := 0
	for _, a := range args[slices.Index(args, "config")+1:] {
		switch a {
		case "--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list", "list", "get":
			return true
		}
		if a == "" || a[0] != '-' {
			words++
		}
	}
	return words == 1 && !slices.Contains(args, "--unset") && !slices.Contains(args, "-e") && !slices.Contains(args, "--edit")
}

func word(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}
