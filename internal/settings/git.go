package settings

import (
	"errors"
	"strings"
)

// A gitKey is one key of git's settings, with all that is before it.
type gitKey struct {
	section, sub string
	hasSub       bool
	key, value   string
	bare         bool // without an equals sign, which means true

	spelled struct{ section, key string } // as they stand: git does not care for capitals
}

// gitParser reads git's settings by its rules, which are strict: git itself
// refuses to work with a file that has a mistake in it.
type gitParser struct {
	text string
	at   int
	line int
	all  []gitKey
	now  gitKey // the section one is in
}

func parseGit(content string) ([]gitKey, error) {
	content = strings.TrimPrefix(content, "\ufeff") // git skips it at the very beginning
	p := gitParser{text: strings.ReplaceAll(content, "\r\n", "\n"), line: 1}
	for p.at < len(p.text) {
		if err := p.element(); err != nil {
			return nil, badLine(p.line, err.Error())
		}
	}
	return p.all, nil
}

// next returns the next byte; the end of the file looks like the end of a line.
func (p *gitParser) next() byte {
	if p.at >= len(p.text) {
		p.at++
		return '\n'
	}
	c := p.text[p.at]
	p.at++
	if c == '\n' {
		p.line++
	}
	return c
}

// element reads a section, a key, a comment, or the space between them.
func (p *gitParser) element() error {
	switch c := p.next(); {
	case isGitSpace(c):
		return nil
	case c == '#' || c == ';':
		p.comment()
		return nil
	case c == '[':
		return p.header()
	case isLetter(c) && p.now.section != "":
		return p.assignment()
	}
	return errors.New("neither a section nor a key")
}

func isGitSpace(c byte) bool { return strings.IndexByte(" \t\n\r\v\f", c) >= 0 }

func (p *gitParser) comment() {
	for p.next() != '\n' {
	}
}

// header reads [section], [section "sub"] or the old [section.sub].
func (p *gitParser) header() error {
	start := p.at
	c := p.next()
	for isAlnum(c) || c == '-' || c == '.' {
		c = p.next()
	}
	spelled := p.text[start:min(p.at-1, len(p.text))]
	name := strings.ToLower(spelled)
	p.now = gitKey{}
	p.now.spelled.section = spelled
	p.now.section, p.now.sub, p.now.hasSub = strings.Cut(name, ".")
	if c == ' ' || c == '\t' || c == '\r' {
		for c == ' ' || c == '\t' || c == '\r' {
			c = p.next()
		}
		sub, err := p.subsection(c)
		if err != nil {
			return err
		}
		p.now.section, p.now.sub, p.now.hasSub = name, sub, true
		c = p.next()
	}
	if c != ']' || p.now.section == "" {
		return errors.New("a section that does not end")
	}
	return nil
}

// subsection reads what stands in quotes behind a section's name.
func (p *gitParser) subsection(c byte) (string, error) {
	if c != '"' {
		return "", errors.New("a section that does not end")
	}
	var b strings.Builder
	for {
		switch c = p.next(); c {
		case '"':
			return b.String(), nil
		case '\\':
			if c = p.next(); c == '\n' {
				return "", errors.New("a section that does not end")
			}
		case '\n':
			return "", errors.New("a section that does not end")
		}
		b.WriteByte(c)
	}
}

// assignment reads a key whose first letter was read, and its value.
func (p *gitParser) assignment() error {
	start := p.at - 1
	c := p.next()
	for isAlnum(c) || c == '-' {
		c = p.next()
	}
	k := p.now
	k.spelled.key = p.text[start:min(p.at-1, len(p.text))]
	k.key = strings.ToLower(k.spelled.key)
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	k.bare = c == '\n'
	if !k.bare {
		if c != '=' {
			return errors.New("a key without a value")
		}
		var err error
		if k.value, err = p.value(); err != nil {
			return err
		}
	}
	p.all = append(p.all, k)
	return nil
}

// value reads up to the end of the line: quotes toggle, a backslash at the end
// continues, and what is in no quotes loses the space around it.
func (p *gitParser) value() (string, error) {
	b := make([]byte, 0, 64)
	quoted, trimmed := false, 0 // b less the space at its end is b[:trimmed]
	for {
		switch c := p.next(); {
		case c == '\n' && quoted:
			return "", errors.New("a quote that does not end")
		case c == '\n':
			return string(b[:trimmed]), nil
		case (c == '#' || c == ';') && !quoted:
			p.comment()
			return string(b[:trimmed]), nil
		case c == '"':
			quoted = !quoted
		case isGitSpace(c) && !quoted:
			if len(b) > 0 {
				b = append(b, c)
			}
		case c == '\\':
			e := p.next()
			if e == '\n' {
				continue
			}
			i := strings.IndexByte(`tbn"\`, e)
			if i < 0 {
				return "", errors.New("an unknown escape")
			}
			b = append(b, "\t\b\n\"\\"[i])
			trimmed = len(b)
		default:
			b = append(b, c)
			trimmed = len(b)
		}
	}
}

// appendGit writes a value in quotes, or a subsection, which is printable and so has
// only those escapes that both know.
func appendGit(b []byte, v string) []byte {
	b = append(b, '"')
	for i := range len(v) {
		if j := strings.IndexByte("\t\b\n\"\\", v[i]); j >= 0 {
			b = append(b, '\\', `tbn"\`[j])
		} else {
			b = append(b, v[i])
		}
	}
	return append(b, '"')
}

// writeGit writes keys in their order, each section as often as it comes.
func writeGit(all []gitKey) []byte {
	out := make([]byte, 0, 48*len(all))
	for i, k := range all {
		if i == 0 || k.section != all[i-1].section || k.sub != all[i-1].sub || k.hasSub != all[i-1].hasSub {
			out = append(out, "["+k.section...)
			if k.hasSub {
				out = appendGit(append(out, ' '), k.sub)
			}
			out = append(out, "]\n"...)
		}
		out = append(out, "\t"+k.key...)
		if !k.bare {
			out = appendGit(append(out, " = "...), k.value)
		}
		out = append(out, '\n')
	}
	return out
}

// A GitEntry is one key of a configuration of git's, in small letters but for the
// subsection and the value.
type GitEntry struct{ Section, Sub, Key, Value string }

// GitEntries reads a configuration as git does, which refuses one with a mistake.
func GitEntries(content string) ([]GitEntry, error) {
	keys, err := parseGit(content)
	if err != nil {
		return nil, err
	}
	all := make([]GitEntry, len(keys))
	for i, k := range keys {
		all[i] = GitEntry{k.section, k.sub, k.key, k.value}
	}
	return all, nil
}
