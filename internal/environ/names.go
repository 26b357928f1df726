package environ

import "strings"

// Reasons for what never passes, whatever it holds.
const (
	whyAgent    = "it leads to an agent of the caller's"
	whyDesktop  = "it leads to the caller's desktop"
	whyTerminal = "it leads to the program around the caller's terminal"
	whyEditor   = "it leads to the caller's editor"
	whyDaemon   = "it leads to a daemon on the host"
	whyCloud    = "it belongs to the caller's accounts"
	whyShell    = "shells run what it names"
	whySaved    = "it keeps a copy of other variables"
)

// handle says why a variable never passes: it is a way to something outside, or
// to what somebody hid there. The rest of the rules look at what it holds.
func handle(name string) string {
	switch name {
	case "BASH_ENV", "ENV":
		return whyShell
	case "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "GPG_TTY", "PINENTRY_USER_DATA",
		"SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "SUDO_ASKPASS", "GIT_ASKPASS", "BW_SESSION":
		return whyAgent
	case "DISPLAY", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER", "XDG_RUNTIME_DIR", "DESKTOP_STARTUP_ID",
		"PULSE_SERVER", "PULSE_COOKIE", "SWAYSOCK", "I3SOCK", "NIRI_SOCKET":
		return whyDesktop
	case "STY", "KITTY_LISTEN_ON", "ALACRITTY_SOCKET", "GNOME_TERMINAL_SCREEN", "GNOME_TERMINAL_SERVICE":
		return whyTerminal
	case "EMACS_SOCKET_NAME", "EMACS_SERVER_FILE", "CLAUDE_CODE_SSE_PORT":
		return whyEditor
	case "WSL_INTEROP", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "CONTAINER_HOST",
		"CONTAINERD_ADDRESS", "BUILDKIT_HOST", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES":
		return whyDaemon
	case "KUBECONFIG", "GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "AZURE_CONFIG_DIR", "OCI_CLI_CONFIG_FILE",
		"NETRC", "PGPASSFILE", "PGSERVICEFILE", "BOTO_CONFIG":
		return whyCloud
	}
	return handleFamily(name)
}

// trusted reports whether a variable of such a family only names certificates, which are
// shown where they are public.
func trusted(name string) bool { return name == "AWS_CA_BUNDLE" }

// Surrounds reports whether a variable only leads to what is around a terminal, such as
// an agent or a desktop: nearly everybody has some, and a command does not fail for them
// without naming what it wanted.
func Surrounds(name string) bool {
	switch handle(name) {
	case whyAgent, whyDesktop, whyTerminal, whyEditor, whyShell, whySaved:
		return true
	}
	return false
}

// handleFamily knows the names that begin alike.
func handleFamily(name string) string {
	head, _, found := strings.Cut(strings.TrimLeft(name, "_"), "_")
	if !found {
		switch head {
		case "TMUX", "ZELLIJ":
			return whyTerminal
		case "NVIM":
			return whyEditor
		}
		return ""
	}
	switch head {
	case "DBUS", "WAYLAND", "HYPRLAND", "PIPEWIRE":
		return whyDesktop
	case "AT":
		if strings.HasPrefix(name, "AT_SPI_") {
			return whyDesktop
		}
	case "GNOME":
		if strings.HasPrefix(name, "GNOME_KEYRING_") {
			return whyAgent
		}
	case "KONSOLE", "TERMINATOR":
		if strings.Contains(name, "_DBUS_") {
			return whyTerminal
		}
	case "TMUX", "ZELLIJ", "WEZTERM", "HERDR":
		return whyTerminal
	case "NVIM", "VSCODE":
		return whyEditor
	case "AWS", "VAULT":
		return whyCloud
	case "OP":
		if strings.HasPrefix(name, "OP_SESSION_") {
			return whyAgent
		}
	case "DIRENV", "MISE":
		if head == "DIRENV" || strings.HasPrefix(name, "__") {
			return whySaved // of direnv and mise, to undo what .envrc loaded: secrets, often
		}
	}
	return ""
}

// harmlessName knows names that only sound like secrets.
func harmlessName(name, value string) bool {
	switch name {
	case "PWD",
		"GOPRIVATE",                                    // patterns of module paths
		"GPG_KEY",                                      // a fingerprint, in images of Python
		"npm_config_auth_type", "NPM_CONFIG_AUTH_TYPE": // legacy or web
		return true
	}
	if strings.HasSuffix(name, "TOKENS") && isNumber(value) {
		return true // a limit: MAX_OUTPUT_TOKENS
	}
	return strings.HasPrefix(name, "CARGO_") && strings.Contains(name, "_CREDENTIAL_PROVIDER")
}

// harmlessValue knows variables whose values are long, odd, and of no interest.
func harmlessValue(name string) bool {
	switch name {
	case "PWD", "OLDPWD", "HOME", "HOSTNAME", "LS_COLORS", "MEMORY_PRESSURE_WRITE":
		return true
	}
	return false
}

// isSwitch knows values that hold nothing, under any name.
func isSwitch(v string) bool {
	switch v {
	case "", "0", "1", "true", "false", "True", "False", "TRUE", "FALSE", "yes", "no", "on", "off":
		return true
	}
	return false
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) < 10
}

// listed is the allow-list: what a program needs to run at all, to speak the
// caller's language, and to find its own settings. What passes here is judged
// like everything else.
func listed(name string) bool {
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "SHLVL", "_", "TERM", "COLORTERM", "TERM_PROGRAM",
		"COLUMNS", "LINES", "LANG", "LANGUAGE", "TZ", "TZDIR", "TERMINFO", "TERMINFO_DIRS", "NO_COLOR", "FORCE_COLOR",
		"CLICOLOR", "CLICOLOR_FORCE", "EDITOR", "VISUAL", "PAGER", "LESS", "HOSTNAME",
		"CI", "SOURCE_DATE_EPOCH", "DEBIAN_FRONTEND", "TMPDIR", "TMP", "TEMP",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NIX_SSL_CERT_FILE", "AWS_CA_BUNDLE",
		"MAKEFLAGS", "MFLAGS", "MAKELEVEL",
		"VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "PNPM_HOME", "BUN_INSTALL", "JAVA_HOME",
		"GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN", "GOPRIVATE",
		"CC", "CXX", "AR", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH":
		return true
	}
	return listedFamily(name)
}

func listedFamily(name string) bool {
	for _, p := range [...]string{
		"LC_", "npm_config_", "NPM_CONFIG_", "PIP_", "PYTHON", "UV_", "CARGO_", "RUST", "GIT_", "NODE_",
		"PYENV_", "NVM_", "VOLTA_", "FNM_", "ASDF_", "MISE_", "DENO_",
	} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	if proto, found := strings.CutSuffix(name, "_proxy"); found {
		return isProxy(proto)
	}
	if proto, found := strings.CutSuffix(name, "_PROXY"); found {
		return isProxy(strings.ToLower(proto))
	}
	return false
}

func isProxy(proto string) bool {
	switch proto {
	case "http", "https", "ftp", "all", "no":
		return true
	}
	return false
}
