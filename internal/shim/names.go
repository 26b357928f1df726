package shim

import "strings"

// Names returns the names that may be shimmed wherever a program of that name
// exists, sorted. The versioned ones, python3.12 and pip3.12, are not in it:
// those are found on PATH, and Known recognises them.
//
// A family is here as a whole or it is a sieve: a jail that catches npm and not
// npx, or pip and not pip3, is walked around without noticing.
func Names() []string {
	return []string{
		"bun", "bunx",
		"cargo",
		"corepack",
		"deno",
		"go",
		"node", "nodejs", "npm", "npx",
		"pip", "pip3", "pipx",
		"pnpm", "pnpx",
		"poetry",
		"python", "python3",
		"rustc", "rustdoc",
		"uv", "uvx",
		"yarn", "yarnpkg",
	}
}

// Known reports whether name is one of Names or a versioned name of a family.
func Known(name string) bool {
	if Versioned(name) {
		return true
	}
	for _, known := range Names() {
		if name == known {
			return true
		}
	}
	return false
}

// Versioned reports whether name is python3.N or pip3.N. Python's free-threaded
// and debug builds put a letter behind the number: python3.13t.
func Versioned(name string) bool {
	minor, ok := strings.CutPrefix(name, "python3.")
	if ok {
		minor = strings.TrimRight(minor, "td")
	} else if minor, ok = strings.CutPrefix(name, "pip3."); !ok {
		return false
	}
	return minor != "" && strings.Trim(minor, "0123456789") == ""
}

// NeverShimmed says why no configuration can have a shim called name. Shells and
// env are what scripts are started with, and a shim of one would call itself;
// sudo and its like leave the user whose jail it is; ssh and editors are the
// user's own hands, and useless without the keys and files that a jail hides.
func NeverShimmed(name string) (why string, never bool) {
	switch name {
	case "jail", "jail-hook":
		return "it is jail itself", true
	case "sh", "bash", "dash", "ash", "zsh", "fish", "ksh", "mksh", "csh", "tcsh", "busybox", "env":
		return "scripts are started with it", true
	case "sudo", "su", "doas", "pkexec", "run0", "runuser", "login", "newgrp", "sg":
		return "it works as another user", true
	case "ssh", "scp", "sftp", "ssh-add", "ssh-agent", "ssh-keygen", "mosh", "tmux", "screen":
		return "it needs what a jail hides", true
	case "vi", "vim", "nvim", "nano", "emacs", "emacsclient", "ed", "ex", "view", "micro", "hx", "kak", "code", "subl":
		return "it is an editor", true
	case "", ".", "..":
		return "it is not the name of a command", true
	}
	if strings.ContainsAny(name, "/\x00\n") || name[0] == '.' || name[0] == '-' {
		return "it is not the name of a command", true
	}
	return "", false
}

// base is what stands behind the last slash of a command.
func base(command string) string {
	return command[strings.LastIndexByte(command, '/')+1:]
}
