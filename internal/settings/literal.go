package settings

import "strings"

// Literal reports whether a project's own file holds a credential itself. A
// reference to a variable is none, nor is the name of a user. A file that cannot be
// parsed is judged line by line, and counts as soon as a line speaks of a
// credential.
func Literal(t Tool, content []byte) bool {
	text, err := plainText(content)
	if err != nil {
		return true // nobody knows what it is, and Strip will not show it
	}
	l := literal{stripper{tool: t, judge: judge{dollar: t.dollar()}}}
	if t.expands() {
		l.passes = func(string) bool { return true }
	}
	found, err := l.file(text)
	if err != nil {
		return anyLine(text, l.speaksOfCredential)
	}
	return found || anyLine(text, commentHolds)
}

// A literal looks at what a stripper would leave out, for what is secret of it.
type literal struct{ stripper }

func (l *literal) file(text string) (bool, error) {
	switch l.tool.Format {
	case Npmrc:
		for _, p := range npmPairs(text) {
			r, _ := l.npmRow(p)
			if l.pair(r, p) {
				return true, nil
			}
		}
		return false, nil
	case Yarnrc:
		all, err := yarnPairs(text)
		for _, p := range all {
			r, _ := l.yarnRow(p)
			if l.pair(r, p) {
				return true, nil
			}
		}
		return false, err
	case INI:
		all, err := iniOptions(text)
		for _, o := range all {
			r, _ := l.iniRow(o)
			if l.value(r, o.key, strings.Join(o.lines, " ")) || !isHarmless(o.section) {
				return true, nil
			}
		}
		return false, err
	case TOML, YAML:
		n, err := parseTree(l.tool.Format, text)
		return err == nil && l.node(n, nil), err
	}
	return false, nil
}

// bare returns v less its references. To a tool that puts nothing in their place they
// are the very text, and $ecret may be a password.
func (l *literal) bare(v string) string {
	if l.passes == nil || !l.dollar && strings.HasPrefix(v, "$") && isVariable(v[1:]) {
		return v
	}
	return withoutReferences(v)
}

func (l *literal) pair(r *row, p pair) bool {
	key := withoutReferences(p.key)
	if !isHarmless(key) || strings.HasPrefix(key, "//") && strings.Contains(key, "@") || p.bare && drawn(key) {
		return true
	}
	return !p.bare && l.value(r, p.key, p.value)
}

func (l *literal) node(n node, at []string) bool {
	if n.shape == scalar {
		r, key := find(l.tool.rows, at, false), at[len(at)-1]
		if r != nil && tells(r, at) {
			r, key = nil, strings.Join(at, "_")
		}
		return l.value(r, key, n.text)
	}
	if n.shape == array && len(at) > 0 {
		if r := find(l.tool.rows, at, false); r != nil && r.kind == command && !isCommand(joined(n)) {
			return true
		}
	}
	for i, item := range n.items {
		below := at
		if n.shape == table {
			below = append(at[:len(at):len(at)], n.names[i])
			if !isHarmless(withoutReferences(n.names[i])) {
				return true
			}
		}
		if l.node(item, below) {
			return true
		}
	}
	return false
}

// value reports whether a value is a credential, by what its key is known for, by
// the key's name, and by itself.
func (l *literal) value(r *row, key, v string) bool {
	bare := l.bare(v)
	if isFlag(bare) || strings.Trim(bare, ": ") == "" {
		return false
	}
	if !isHarmless(bare) {
		return true
	}
	if r == nil {
		return secretName(key) && len(bare) >= 4 && !isNumber(bare) && strings.IndexByte("/~.<", bare[0]) < 0
	}
	switch r.kind {
	case credential:
		return !l.isReference(v)
	case command:
		return !isCommand(bare)
	case address, addresses, proxy:
		_, lost, ok := l.judge.value(r.kind, v)
		if !ok {
			return strings.Contains(bare, "@") && strings.Contains(bare, ":")
		}
		return lost == lostUser || lost == lostPart && (drawn(bare) || namedSecret(strings.Split(bare, "/")))
	}
	return false
}

func anyLine(text string, holds func(line string) bool) bool {
	for line := range strings.Lines(text) {
		if holds(line) {
			return true
		}
	}
	return false
}

// commentHolds reports whether what may be a comment of a line holds a credential
// that somebody meant to keep for later.
func commentHolds(line string) bool {
	i := strings.IndexAny(line, "#;")
	if i < 0 {
		return false
	}
	comment := withoutBlanks(withoutReferences(strings.Trim(line[i:], "#; \t\r\n")))
	if !isHarmless(comment) {
		return true
	}
	at := until(comment, ":=")
	value := strings.Trim(comment[min(at+1, len(comment)):], " \t\"'")
	return secretName(comment[:at]) && len(value) >= 4 && !isFlag(value) && !strings.ContainsAny(value, " \t$") && strings.IndexByte("/~.", value[0]) < 0
}

// withoutBlanks puts a reference in the place of what is to be filled in: <token>.
func withoutBlanks(s string) string {
	for {
		before, rest, found := strings.Cut(s, "<")
		_, after, closed := strings.Cut(rest, ">")
		if !found || !closed {
			return s
		}
		s = before + "$" + after
	}
}

// speaksOfCredential reports whether a line of a file that nobody can read holds
// a credential or names one.
func (l *literal) speaksOfCredential(line string) bool {
	if l.passes != nil && strings.Contains(line, "${") {
		line = withoutReferences(line)
		return !isHarmless(line) || strings.Contains(line, "${")
	}
	return !isHarmless(line) || secretName(line)
}
