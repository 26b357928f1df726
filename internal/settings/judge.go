package settings

import (
	"strings"
	"unicode"

	"jail/internal/environ/secret"
)

// A kind is what a value must be to stay. The narrower the kind, the less can
// hide in it.
type kind uint8

const (
	leave       kind = iota // never stays
	credential              // stays only as a reference to a variable that passes
	login                   // a user's name; it stays as a credential does
	flag                    // true, false and what else means that
	off                     // a flag that stays where it says no
	number                  // 30, 1.5, 10m
	word                    // a short word or a few: info, ^, ff-only, "red bold"
	version                 // a word under the name of a package, which may be any
	list                    // words between commas or spaces
	address                 // a URL without user info, or a path
	addresses               // several, between spaces
	choices                 // several, between commas or bars
	proxy                   // a URL or host:port without user info
	pathname                // a path
	certificate             // the path of a file of certificates
	pem                     // certificates themselves
	text                    // a line for people
	command                 // a command line
	patterns                // the path of a file of git's patterns
)

// A judge decides about values.
type judge struct {
	passes       func(variable string) bool // nil: the tool puts no variable in the place of a reference
	dollar       bool                       // $NAME alone is a reference as well
	certificates []string                   // paths that stayed
}

// value returns what stays of a value and, if that is less than all, what was
// lost of it in words. Where nothing may stay it is not ok.
func (j *judge) value(k kind, v string) (out, lost string, ok bool) {
	switch k {
	case credential, login:
		return v, "", j.isReference(v)
	case flag:
		return v, "", isFlag(v)
	case off:
		return v, "", isOff(v)
	case number:
		return v, "", isNumber(v)
	case word, version:
		return v, "", isWord(v)
	case list:
		return v, "", isList(v)
	case address:
		return j.address(v)
	case addresses:
		return j.addresses(v)
	case choices:
		return j.choices(v)
	case proxy:
		return j.proxy(v)
	case pathname:
		return v, "", isPath(v)
	case certificate:
		if ok = isPath(v) && v != ""; ok {
			j.certificates = append(j.certificates, v)
		}
		return v, "", ok
	case pem:
		return v, "", isPublicPEM(v)
	case text:
		return v, "", isText(v)
	case command:
		return v, "", isCommand(v)
	}
	return "", "", false
}

func isFlag(v string) bool {
	switch strings.ToLower(v) {
	case "true", "false", "yes", "no", "on", "off", "1", "0", "null", "none", "":
		return true
	}
	return false
}

func isOff(v string) bool {
	switch strings.ToLower(v) {
	case "false", "no", "off", "0":
		return true
	}
	return false
}

// isNumber knows whole and broken numbers with a unit of one letter.
func isNumber(v string) bool {
	v = strings.TrimPrefix(v, "-")
	if len(v) > 0 && isLetter(v[len(v)-1]) {
		v = v[:len(v)-1]
	}
	for i := range len(v) {
		if !isDigit(v[i]) && (v[i] != '.' || i == 0) {
			return false
		}
	}
	return v != "" && len(v) <= 16
}

func isWord(v string) bool { return len(v) <= 64 && isList(v) }

// isList knows words of what stands in names, versions, ranges and patterns.
func isList(v string) bool {
	if len(v) > 4096 {
		return false
	}
	for i := range len(v) {
		if !isAlnum(v[i]) && strings.IndexByte("._+-/:@,~^*<>=|%#! \n", v[i]) < 0 {
			return false
		}
	}
	return isHarmless(v) && !drawn(v)
}

// isPath knows a path. Its parts may look drawn by lot: stores name their
// directories so.
func isPath(v string) bool { return isText(v) && !strings.Contains(v, "://") }

func isText(v string) bool { return len(v) <= 2048 && isPrintable(v, "") && isHarmless(v) }

func isHarmless(v string) bool {
	_, found := secret.Value(v)
	return !found && !holdsLogin(v)
}

// holdsLogin reports whether a value holds name:password@host without a scheme,
// which the judge of the environment takes for a path or a time. Versions of
// packages are written npm:name@1.
func holdsLogin(v string) bool {
	for from := 0; ; {
		i := strings.IndexByte(v[from:], '@')
		if i < 0 {
			return false
		}
		at := from + i
		from = at + 1
		if from == len(v) || !isAlnum(v[from]) && v[from] != '[' {
			continue
		}
		before := v[strings.LastIndexAny(v[:at], " \t\n\"'`,;()/=")+1 : at]
		name, password, _ := strings.Cut(before, ":")
		if name != "" && password != "" && !isProtocol(name) {
			return true
		}
	}
}

// isProtocol knows what stands before a package's name where its version could.
func isProtocol(s string) bool {
	switch s {
	case "npm", "jsr", "workspace", "patch", "link", "portal", "file", "catalog":
		return true
	}
	return false
}

// isPrintable reports whether a value holds nothing that moves a cursor or hides
// what is beside it, but for the characters in also.
func isPrintable(v, also string) bool {
	for _, c := range v {
		if !unicode.IsPrint(c) && !strings.ContainsRune(also, c) {
			return false
		}
	}
	return true
}

// isCommand knows a command line. Commands take credentials as options, too,
// where no name stands before an equals sign.
func isCommand(v string) bool {
	if len(v) > 8192 || !isPrintable(v, "\t\n") || !isHarmless(v) {
		return false
	}
	words := strings.FieldsFunc(v, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("\"'`();|&", c) })
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if givesAway(w, next) {
			return false
		}
	}
	return true
}

// givesAway reports whether a word of a command line is, or announces, something
// to log in with.
func givesAway(w, next string) bool {
	name, value, _ := strings.Cut(w, "=")
	switch name {
	case "-u", "-U", "--user", "--proxy-user": // of curl: name:password
		return hasPassword(next) || hasPassword(value)
	case "-H", "--header", "--proxy-header", "-b", "--cookie":
		return strings.ContainsAny(next+value, ":=")
	case "sshpass":
		return true
	}
	if strings.HasPrefix(w, "-u") && hasPassword(w[len("-u"):]) {
		return true
	}
	if head, _, found := strings.Cut(w, ":"); found && next != "" && secretName(head) {
		return true // a header
	}
	return strings.HasPrefix(w, "-") && secretName(name) || drawn(w)
}

func hasPassword(s string) bool {
	name, password, _ := strings.Cut(s, ":")
	return name != "" && password != ""
}

func secretName(name string) bool {
	_, found := secret.Name(name)
	return found
}

// isPublicPEM reports whether a value is nothing but certificates. Line ends may
// be written out as \n.
func isPublicPEM(v string) bool {
	const begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
	v = strings.TrimSpace(strings.ReplaceAll(v, `\n`, "\n"))
	for v != "" {
		rest, found := strings.CutPrefix(v, begin)
		if !found {
			return false
		}
		body, rest, found := strings.Cut(rest, end)
		if !found || !isBase64(body) {
			return false
		}
		v = strings.TrimSpace(rest)
	}
	return true
}

// certificateStart is how the base64 of a certificate begins: a sequence of more
// than 255 bytes. A token between the lines of a certificate does not.
const certificateStart = "MII"

func isBase64(v string) bool {
	for i := range len(v) {
		if !isAlnum(v[i]) && strings.IndexByte("+/=\r\n", v[i]) < 0 {
			return false
		}
	}
	return strings.HasPrefix(strings.TrimSpace(v), certificateStart)
}
