package settings

import (
	"strconv"
	"strings"

	"jail/internal/environ/secret"
)

// What an address can lose and stay one.
const (
	lostUser = "user info"
	lostPart = "part of its address"
)

// hidden stands for a part of a path that might be a secret. Without it the tool
// would ask another place, and find what others put there.
const hidden = "hidden"

// address returns a URL without what might be secret in it, or a path as it is.
func (j *judge) address(v string) (out, lost string, ok bool) {
	scheme, rest, found := strings.Cut(v, "://")
	if !found {
		return v, "", isPlace(v)
	}
	if isScheme(scheme) && rest == "" {
		return v, "", true // git replaces one scheme by another
	}
	if !isScheme(scheme) || !isPrintable(rest, "") || strings.ContainsAny(rest, " \"'`<>\\^|") {
		return "", "", false
	}
	user, host, tail := cutAuthority(rest)
	if !isHost(host) && (host != "" || scheme != "file") || !isTail(tail) {
		return "", "", false
	}
	if user != "" && !j.mayStay(scheme, user) {
		user, lost = "", lostUser
	}
	if user != "" {
		user += "@"
	}
	tail, whole := harmlessTail(tail)
	if !whole && lost == "" {
		lost = lostPart
	}
	out = scheme + "://" + user + host + tail
	return out, lost, isHarmless(withoutReferences(out))
}

// isPlace knows an address without a scheme: a path, git@host:path, or a
// reference.
func isPlace(v string) bool {
	if v == "" || !isPath(v) || strings.Contains(withoutReferences(v), "${") {
		return false
	}
	user, _, found := strings.Cut(v, "@")
	return (!found || keyLike(user)) && (strings.IndexByte("/~.", v[0]) >= 0 || !drawn(v))
}

// isTail reports whether what follows a host is as it should be: a user in it
// means that the host was none, and half a reference that a default, which may
// hold anything, was cut into pieces.
func isTail(tail string) bool {
	if strings.ContainsAny(withoutReferences(tail), "${}") {
		return false
	}
	for i := range len(tail) {
		if tail[i] == '@' && tail[i-1] != '/' {
			return false
		}
	}
	return true
}

// cutAuthority cuts what follows the slashes of a URL into its user info, its
// host and the rest. A password may hold an unquoted slash; then what looks like a
// port is no number, and the user info ends at the last @ of all.
func cutAuthority(rest string) (user, host, tail string) {
	end := until(rest, "/?#")
	if i := strings.LastIndexByte(rest[:end], '@'); i >= 0 {
		return rest[:i], rest[i+1 : end], rest[end:]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 && !isHost(rest[:end]) {
		host, tail = rest[i+1:], ""
		end = until(host, "/?#")
		return rest[:i], host[:end], host[end:]
	}
	return "", rest[:end], rest[end:]
}

// mayStay reports whether user info is no secret: a user alone where keys do the
// rest, or one whose password is a reference to a variable that passes.
func (j *judge) mayStay(scheme, user string) bool {
	name, password, found := strings.Cut(user, ":")
	if !found {
		return overSSH(scheme) && keyLike(name) || j.isReference(name)
	}
	return j.isReference(password) && (keyLike(name) || j.isReference(name))
}

func overSSH(scheme string) bool {
	_, last := cutLast(scheme, '+')
	return last == "ssh" || last == "sftp"
}

// isScheme knows https, and sparse+https.
func isScheme(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && strings.IndexByte("+.-", s[i]) < 0 {
			return false
		}
	}
	return s != "" && len(s) <= 24 && isLetter(s[0]) && !drawn(s)
}

// isHost knows a name, an address in brackets, or references to variables, and a
// port behind it.
func isHost(s string) bool {
	host, port := cutLast(s, ':')
	if host == "" || strings.HasSuffix(s, "]") {
		host, port = s, ""
	}
	for i := range len(port) {
		if !isDigit(port[i]) {
			return false
		}
	}
	host = withoutReferences(host)
	inner, bracketed := strings.CutPrefix(host, "[")
	if bracketed {
		host = strings.TrimSuffix(inner, "]")
	}
	for i := range len(host) {
		if c := host[i]; !isAlnum(c) && strings.IndexByte(".-_*", c) < 0 && (!bracketed || c != ':') {
			return false
		}
	}
	return s != "" && len(s) <= 253 && len(port) <= 5
}

// harmlessTail returns the path of a URL, with the parts that might be secret
// hidden, and reports whether that is all that was there. A query goes: what it
// says to a server that needs one is as a rule who asks.
func harmlessTail(tail string) (out string, whole bool) {
	end := until(tail, "?#")
	whole = end == len(tail)
	parts := strings.Split(tail[:end], "/")
	for i, p := range parts {
		if !isHarmlessPart(p) || namedSecret(parts[max(i-1, 0):i+1]) {
			parts[i], whole = hidden, false
		}
	}
	return strings.Join(parts, "/"), whole
}

// namedSecret reports whether parts of a path hold a UUID behind one that says that it
// logs in: /auth/UUID/. Other UUIDs name projects and feeds.
func namedSecret(parts []string) bool {
	for i := 1; i < len(parts); i++ {
		if isUUID(parts[i]) && secretName(parts[i-1]) {
			return true
		}
	}
	return false
}

func isHarmlessPart(p string) bool {
	plain, ok := unescape(withoutReferences(p))
	if !ok || strings.ContainsAny(plain, "=;&:") || strings.LastIndexByte(plain, '@') > 0 {
		return false
	}
	_, found := secret.Value(plain)
	return !found && !drawn(plain)
}

// unescape undoes the escapes of a URL, of which a secret may be made.
func unescape(s string) (string, bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "%")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		if len(rest) < 2 {
			return "", false
		}
		c, err := strconv.ParseUint(rest[:2], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(c))
		s = rest[2:]
	}
}

// addresses returns those of several that stay, one a line.
func (j *judge) addresses(v string) (out, lost string, ok bool) {
	var kept []string
	for _, one := range strings.Fields(v) {
		clean, part, ok := j.address(one)
		if !ok {
			return "", "", false
		}
		if part != "" {
			lost = part
		}
		kept = append(kept, clean)
	}
	return strings.Join(kept, "\n"), lost, len(kept) > 0 && isHarmless(strings.Join(kept, " "))
}

// proxy is address for what may lack a scheme, or say that there is none.
func (j *judge) proxy(v string) (out, lost string, ok bool) {
	if strings.Contains(v, "://") {
		return j.address(v)
	}
	if v == "" || v == "null" || v == "false" {
		return v, "", true
	}
	user, host, tail := cutAuthority(v)
	if user != "" {
		lost = lostUser
	}
	return host, lost, (tail == "" || tail == "/") && isHost(host) && isHarmless(host)
}

// until returns where the first of the bytes in any stands in s, or its length.
func until(s, any string) int {
	if i := strings.IndexAny(s, any); i >= 0 {
		return i
	}
	return len(s)
}

// cutLast cuts s at the last c; without one there is nothing before it.
func cutLast(s string, c byte) (before, after string) {
	i := strings.LastIndexByte(s, c)
	return s[:max(i, 0)], s[i+1:]
}
