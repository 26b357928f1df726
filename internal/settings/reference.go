package settings

import "strings"

// A reference to a variable of the environment: ${NAME}, ${NAME?}, ${NAME-},
// ${NAME:-} or, to bun and alone, $NAME. One with a default that is not empty is none, since
// the default may be the secret.

// cutReference cuts the first reference in braces out of s.
func cutReference(s string) (before, name, after string, found bool) {
	for from := 0; ; {
		i := strings.Index(s[from:], "${")
		if i < 0 {
			return s, "", "", false
		}
		i += from
		end := strings.IndexByte(s[i:], '}')
		if end < 0 {
			return s, "", "", false
		}
		name := s[i+2 : i+end]
		for _, suffix := range [...]string{":-", "-", "?"} {
			if bare, cut := strings.CutSuffix(name, suffix); cut {
				name = bare
				break
			}
		}
		if isVariable(name) {
			return s[:i], name, s[i+end+1:], true
		}
		from = i + 2
	}
}

func isVariable(name string) bool {
	for i := range len(name) {
		if !isAlnum(name[i]) && name[i] != '_' {
			return false
		}
	}
	return name != "" && len(name) <= 100 && !isDigit(name[0])
}

// withoutReferences returns v less its references. User info that is a reference,
// or that has one for a password, goes with it: it gives nothing away.
func withoutReferences(v string) string {
	if !strings.Contains(v, "$") {
		return v
	}
	if name, found := strings.CutPrefix(v, "$"); found && isVariable(name) {
		return ""
	}
	var b strings.Builder
	for {
		before, _, after, found := cutReference(v)
		b.WriteString(before)
		if !found {
			return withoutEmptyUser(b.String())
		}
		v = after
	}
}

// withoutEmptyUser cuts user info without a password out of URLs.
func withoutEmptyUser(v string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(v, "://")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("://")
		user, _, _ := cutAuthority(rest)
		if user == "" && strings.HasPrefix(rest, "@") {
			rest = rest[1:]
		} else if name, password, found := strings.Cut(user, ":"); found && password == "" && keyLikeOrEmpty(name) {
			rest = rest[len(user)+1:]
		}
		v = rest
	}
}

func keyLikeOrEmpty(s string) bool { return s == "" || keyLike(s) }

// isReference reports whether v is nothing but references to variables that pass,
// with colons between them.
func (j *judge) isReference(v string) bool {
	if j.passes == nil {
		return false
	}
	if name, found := strings.CutPrefix(v, "$"); found && j.dollar && isVariable(name) {
		return j.passes(name)
	}
	for some := false; ; some = true {
		before, name, after, found := cutReference(v)
		if strings.Trim(before, ":") != "" {
			return false
		}
		if !found {
			return some
		}
		if !j.passes(name) {
			return false
		}
		v = after
	}
}
