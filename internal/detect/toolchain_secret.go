package detect

import (
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// privateNames are directories and files that hold credentials wherever they lie.
// The table of managers never leads there; PATH, a link or a script may.
var privateNames = [...]string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".pki",
	".mozilla", ".thunderbird", ".netrc", ".npmrc", ".pypirc", ".yarnrc", ".yarnrc.yml", ".git-credentials",
	".vault-token", ".terraform.d", ".pgpass", ".my.cnf", ".s3cfg", ".boto", ".oci", ".kaggle",
	".huggingface", ".databrickscfg", ".snowflake", ".age", ".sops",
	".bitcoin", ".ethereum", ".electrum", ".git",
}

// privatePlaces are the same, as seen from a home. Nothing above them is shown
// either, which is what keeps ~/.cargo and ~/.local/share from being shown whole.
var privatePlaces = [...]string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config",
	".local/share/keyrings", ".local/share/kwalletd", ".local/share/jail", ".local/share/gnupg",
	".local/state/jail", ".cache/jail", ".cache/huggingface", ".cargo/credentials", ".cargo/credentials.toml", ".cargo/config.toml",
	".gem/credentials", ".bundle/config", ".composer/auth.json", ".m2/settings.xml", ".gradle/gradle.properties",
	".claude", ".codex", ".gemini", ".cursor", ".copilot", ".hermes", ".continue", ".npm/_logs",
	".var", "snap", ".bash_history", ".zsh_history", ".python_history", ".node_repl_history",
}

// hostPlaces is what belongs to the running system and never to a toolchain. A
// link in it may lead to one: /run/user/1000/fnm_multishells/7 does.
var hostPlaces = [...]string{"/boot", "/dev", "/etc", "/proc", "/run", "/sys", "/var/run", "/lost+found"}

// secret reports whether path, which is physical, must not be shown: it is, lies
// in or holds a home, the project, or a place of credentials.
func (f *finder) secret(path string) bool {
	if path == "/" || within(f.in.Root, path) || withinAny(path, hostPlaces[:]) {
		return true
	}
	for _, home := range f.in.Homes {
		if within(home, path) || inPrivatePlace(path, home, overlap) {
			return true
		}
	}
	return f.secretLink(path)
}

// private reports whether path lies in a place of credentials. What is above one
// may have parts that can be shown.
func (f *finder) private(path string) bool {
	for _, home := range f.in.Homes {
		if inPrivatePlace(path, home, within) {
			return true
		}
	}
	return f.secretLink(path)
}

// secretLink is secret for a link, whose text is shown and not what it leads to.
func (f *finder) secretLink(path string) bool {
	for rest := path; rest != ""; {
		var name string
		if name, rest = nextName(rest); slices.Contains(privateNames[:], name) {
			return true
		}
	}
	return slices.ContainsFunc(f.secrets, func(secret string) bool { return overlap(path, secret) })
}

// inPrivatePlace reports whether path is related to one of privatePlaces of home.
// Package managers keep installed code in ~/.config too, and that is no setting.
func inPrivatePlace(path, home string, related func(path, place string) bool) bool {
	if path == home || !within(path, home) {
		return false
	}
	below := strings.TrimPrefix(path[len(home):], "/")
	for _, place := range privatePlaces {
		if related(below, place) && !(place == ".config" && isPackages(below)) {
			return true
		}
	}
	return false
}

// overlap reports whether one of two paths lies in the other.
func overlap(a, b string) bool { return within(a, b) || within(b, a) }

// isPackages reports whether path lies in a directory of installed packages.
func isPackages(path string) bool {
	for path != "" {
		var name string
		if name, path = nextName(path); name == "node_modules" || name == "vendor" {
			return true
		}
	}
	return false
}

// linkedSecrets notes where links in a home lead that stand for a private place,
// so that ~/dotfiles/ssh is as secret as ~/.ssh, which is a link to it. It reads
// the whole home, so it is asked only where no manager vouches for a directory.
func (f *finder) linkedSecrets() {
	if f.secrets != nil {
		return
	}
	f.secrets = make([]string, 0, 4)
	for _, home := range f.in.Homes {
		for _, e := range f.list(home) {
			if e.kind != unix.DT_LNK || !isPrivate(e.name) {
				continue
			}
			path := join(home, e.name)
			if end := physical(path); end != path && !within(home, end) {
				f.secrets = append(f.secrets, end)
			}
		}
	}
}

// isPrivate reports whether a name in a home is a private place.
func isPrivate(name string) bool {
	return slices.Contains(privateNames[:], name) || slices.Contains(privatePlaces[:], name)
}

// IsPrivate reports whether path, which is physical, is, lies in or holds a home or
// a place of credentials: what nothing but the user's own word may show. The model
// cache counts as one for toolchains, and is shown as what it is.
func IsPrivate(path string, homes []string) bool {
	f := finder{in: ToolchainInput{Homes: homes}}
	if path == "/" || f.secretLink(path) {
		return true
	}
	for _, home := range homes {
		if within(home, path) {
			return true
		}
		models := join(home, ".cache/huggingface")
		if !within(path, models) && inPrivatePlace(path, home, overlap) {
			return true
		}
	}
	return false
}

// MayOffer reports whether a message may suggest to show path: it is neither private
// nor a part of the running system, and a file or directory, not a socket.
func MayOffer(path string, homes []string) bool {
	real := physical(path)
	if IsPrivate(path, homes) || IsPrivate(real, homes) || withinAny(path, hostPlaces[:]) || withinAny(real, hostPlaces[:]) {
		return false
	}
	src, err := Stat(real)
	if err != nil || src.Type != plan.Regular && src.Type != plan.Directory {
		return false
	}
	// What a shell reads at its start, and what it remembers, is full of tokens.
	return src.Type != plan.Regular || lastName(path)[0] != '.' || !slices.Contains(homes, parent(path))
}

// settingsPlaces are those below ~/.config that hold credentials. The rest of it is
// shown to nobody either, but to look there is no sign of anything.
var settingsPlaces = [...]string{
	"1Password", "BraveSoftware", "Bitwarden", "chromium", "configstore", "containers/auth.json", "doctl", "fly", "gcloud", "gh", "git/credentials", "github-copilot", "glab-cli",
	"google-chrome", "helm", "hub", "jail", "microsoft-edge", "netlify", "op", "pypoetry/auth.toml", "rclone", "solana", "sops", "stripe", "systemd/user", "vivaldi",
}

// InPrivate reports whether path lies in a place of credentials, or in one that the
// host runs by itself.
func InPrivate(path string, homes []string) bool {
	f := finder{in: ToolchainInput{Homes: homes}}
	if f.secretLink(path) {
		return true
	}
	for _, home := range homes {
		config := join(home, ".config")
		if within(path, config) {
			if path == config {
				return false
			}
			for _, place := range settingsPlaces {
				if within(path, join(config, place)) {
					return true
				}
			}
			continue
		}
		if inPrivatePlace(path, home, within) && !within(path, join(home, ".cache/huggingface")) {
			return true
		}
	}
	return false
}
