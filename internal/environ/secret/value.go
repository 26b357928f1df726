package secret

import "strings"

// window is how far one looks from a sign that something may follow. A value may
// be long, and made of such signs alone.
const window = 512

// Value reports whether value looks like a secret, and what it looks like, in
// words that quote nothing of it.
func Value(value string) (looks string, found bool) {
	switch {
	case strings.Contains(value, "-----BEGIN") && !publicPEM(value):
		return "a private key", true
	case strings.Contains(value, "://") && userInfo(value):
		return "user info in a URL", true
	case strings.Contains(value, "@tcp(") && databaseLogin(value):
		return "a password for a database", true
	case webhook(value):
		return "the address of a webhook", true
	case assigns(value):
		return "a setting that holds a secret", true
	}
	return inWords(value)
}

// publicPEM reports whether every PEM block that begins in s is public.
func publicPEM(s string) bool {
	for {
		_, rest, found := strings.Cut(s, "-----BEGIN")
		if !found {
			return true
		}
		label, rest, closed := strings.Cut(strings.TrimPrefix(rest, " "), "-----")
		if !closed || !PublicPEM(label) {
			return false
		}
		s = rest
	}
}

// PublicPEM reports whether a PEM block of this label may be read by anyone. A
// request for a certificate is none: it may hold a challenge password.
func PublicPEM(label string) bool {
	switch label {
	case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE",
		"PUBLIC KEY", "RSA PUBLIC KEY", "DSA PUBLIC KEY", "EC PUBLIC KEY",
		"DH PARAMETERS", "X9.42 DH PARAMETERS", "DSA PARAMETERS", "EC PARAMETERS",
		"X509 CRL":
		return true
	}
	return false
}

// userInfo reports whether a URL in s names more than a host. A user alone is no
// secret where keys do the rest, as in ssh://git@host; elsewhere it is often a
// token.
func userInfo(s string) bool {
	for {
		before, rest, found := strings.Cut(s, "://")
		if !found {
			return false
		}
		if user, ok := userOf(rest); ok && (strings.Contains(user, ":") || !overSSH(before)) {
			return true
		}
		s = rest
	}
}

// userOf returns what stands before the last '@' of a URL's authority. A password
// may hold an unquoted slash, which ends the authority for everybody else; then
// what looks like a port is no number.
func userOf(rest string) (string, bool) {
	rest = rest[:min(len(rest), window)]
	word := rest[:until(rest, " \t\n\"'`,|<>")]
	authority := word[:until(word, "/?#")]
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		return authority[:i], true
	}
	_, port, found := strings.Cut(authority, ":")
	if !found || isNumber(port) || strings.HasPrefix(authority, "[") {
		return "", false
	}
	i := strings.LastIndexByte(word, '@')
	if i < 0 {
		return "", false
	}
	return word[:i], true
}

func overSSH(before string) bool {
	for _, scheme := range [...]string{"ssh", "sftp", "rsync"} {
		if strings.HasSuffix(before, scheme) {
			return true
		}
	}
	return false
}

func isNumber(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// until returns where the first of the bytes in any stands in s, or its length.
func until(s, any string) int {
	if i := strings.IndexAny(s, any); i >= 0 {
		return i
	}
	return len(s)
}

// databaseLogin knows name:password@tcp(host:port)/database, as Go's drivers have it.
func databaseLogin(s string) bool {
	before, _, _ := strings.Cut(s, "@tcp(")
	_, password, found := strings.Cut(before[max(0, len(before)-window):], ":")
	return found && password != "" && password[0] != '$'
}

// webhook knows the addresses whose path is the secret.
func webhook(s string) bool {
	if !strings.Contains(s, "hook") && !strings.Contains(s, "api.telegram.org/bot") {
		return false
	}
	for _, w := range [...]string{
		"hooks.slack.com/", "/api/webhooks/", ".webhook.office.com/",
		"hooks.zapier.com/", "api.telegram.org/bot",
	} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
