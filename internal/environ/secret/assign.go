package secret

import (
	"slices"
	"strings"
)

// assigns reports whether s holds name=value, name: value or "name": "value" with the
// name of a secret: a connection string, a query, options for a virtual machine, JSON,
// the header of a request.
func assigns(s string) bool {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '=':
		case ':':
			// Only where a quote closes a name, or a blank follows as in X-Api-Key: x. Colons
			// stand between paths, too.
			if s[i-1] != '"' && s[i-1] != '\'' && s[i-1] != ' ' && !strings.HasPrefix(s[i+1:], " ") {
				continue
			}
		case ' ':
			if scheme(s[i+1:]) {
				return true
			}
			continue
		default:
			continue
		}
		name := nameBefore(s[:i])
		if name != "" && (reveals(name, valueAfter(s[i+1:])) && !inSentence(s[:i], s[i:]) || authorizes(name, s[i+1:])) {
			return true
		}
	}
	return scheme(s)
}

// inSentence reports whether a name, the sign behind it and what follows are those of a
// sentence and no setting: "auth: rework the login", where the value is a word of letters
// and more words follow.
func inSentence(before, rest string) bool {
	if rest[0] != ':' || strings.IndexByte("\"'", before[len(before)-1]) >= 0 {
		return false
	}
	rest = strings.TrimLeft(rest[1:min(len(rest), window)], " \t")
	word, more, found := strings.Cut(rest, " ")
	word = strings.TrimRight(word, ",;")
	return found && more != "" && !strings.Contains(word, "\n") && !drawnWord(word)
}

// authorizes reports whether name is that of the header Authorization, whose value has
// the name of a scheme before it, one of our list or another.
func authorizes(name, rest string) bool {
	if !equalFold(name[max(0, len(name)-len("AUTHORIZATION")):], "AUTHORIZATION") {
		return false
	}
	_, v, _ := strings.Cut(strings.TrimLeft(rest[:min(len(rest), window)], " \t\"'"), " ")
	v = valueAfter(v)
	return len(v) >= 8 && drawnWord(v)
}

// drawnWord reports whether v is not all a word, or words, of letters.
func drawnWord(v string) bool { return hasDigit(v) || wordy(v) < len(v) }

// scheme reports whether s begins with what follows "Authorization:".
func scheme(s string) bool {
	for _, k := range [...]string{"BEARER ", "BASIC "} {
		if hasFold(s, k) {
			v := strings.TrimRight(valueAfter(s[len(k):]), ":.)]}>") // "Basic Constraints:" is none
			return len(v) >= 8 && drawnWord(v)
		}
	}
	return false
}

// nameBefore returns the name at the end of s, without its quotes.
func nameBefore(s string) string {
	s = strings.TrimRight(s[max(0, len(s)-window):], " \t\"'")
	i := len(s)
	for i > 0 && (isAlnum(s[i-1]) || s[i-1] == '_' || s[i-1] == '-') {
		i--
	}
	return s[i:]
}

// valueAfter returns what s begins with, without its quotes.
func valueAfter(s string) string {
	s = strings.TrimLeft(s[:min(len(s), window)], " \t\"'")
	return s[:until(s, " \t\n\"'&;,")]
}

// reveals reports whether a setting of this name and value gives a secret away.
// A reference to another variable does not, nor does a switch, nor the path of a
// file that the jail shows or hides on its own account.
func reveals(name, value string) bool {
	if len(value) < 4 || isWordOfSwitch(value) || strings.IndexByte("$%/~.", value[0]) >= 0 {
		return false
	}
	if strings.HasSuffix(name, "jobserver-auth") {
		return false // of make: descriptors, or the path of a pipe
	}
	if signature(name) {
		return len(value) >= 16
	}
	word, found := Name(name)
	return found && (len(value) >= 6 || slices.Contains(parts[:], word))
}

// signature knows the parameters that make a link work for whoever has it.
func signature(name string) bool {
	return equalFold(name, "SIG") || len(name) >= len("SIGNATURE") && equalFold(name[len(name)-len("SIGNATURE"):], "SIGNATURE")
}

// isWordOfSwitch knows what people write where nothing is secret.
func isWordOfSwitch(v string) bool {
	for _, w := range [...]string{"TRUE", "FALSE", "NONE", "NULL", "AUTO", "DEFAULT", "UNDEFINED", "ENABLED", "DISABLED"} {
		if equalFold(v, w) {
			return true
		}
	}
	return false
}
