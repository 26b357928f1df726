package settings

import (
	"errors"
	"strings"
)

// The part of YAML that settings are written in: mappings and sequences by
// indentation or on one line in brackets, and scalars on one line, plain or in
// quotes. Anchors, tags, text over several lines, merge keys and several documents
// are refused, since they are where two parsers disagree.

// A yamlLine is one line without its comment.
type yamlLine struct {
	indent, number int
	text           string
}

type yamlParser struct {
	lines []yamlLine
	depth int
}

// maxNesting is more than any setting has.
const maxNesting = 12

func parseYAML(content string) (node, error) {
	p := yamlParser{}
	if err := p.split(content); err != nil {
		return node{}, err
	}
	if len(p.lines) == 0 {
		return node{shape: table}, nil
	}
	n, err := p.block(p.lines[0].indent)
	switch {
	case err != nil:
		return node{}, err
	case len(p.lines) > 0:
		return node{}, p.wrong("out of line with what is above")
	case n.shape != table:
		return node{}, errors.New("no mapping")
	}
	return n, nil
}

// split cuts the text into lines, without those that hold nothing.
func (p *yamlParser) split(content string) error {
	for i, line := range strings.Split(strings.ReplaceAll(content, "\r\n", "\n"), "\n") {
		text := strings.TrimLeft(line, " ")
		l := yamlLine{indent: len(line) - len(text), number: i + 1, text: strings.TrimRight(withoutComment(text), " \t")}
		switch {
		case l.text == "":
			continue
		case !isPrintable(l.text, ""):
			return badLine(i+1, "a control character")
		case l.indent == 0 && len(p.lines) == 0 && l.text == "---":
			continue
		case l.indent == 0 && (strings.HasPrefix(l.text, "---") || strings.HasPrefix(l.text, "...") || l.text[0] == '%'):
			return badLine(i+1, "more than one document")
		}
		p.lines = append(p.lines, l)
	}
	return nil
}

// withoutComment cuts off what follows a # that begins a word outside of quotes.
func withoutComment(s string) string {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return s[:i]
		case (c == '"' || c == '\'') && opensQuote(s[:i]):
			i += quotedLen(s[i:]) - 1
		}
	}
	return s
}

// opensQuote reports whether a quote behind this begins a scalar; within a plain
// one it is a letter like others.
func opensQuote(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || strings.IndexByte(":-,[{", before[len(before)-1]) >= 0
}

// quotedLen returns how long the quoted scalar is that s begins with, or the
// length of s if it does not end.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] == s[0] && s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return len(s)
}

func (p *yamlParser) wrong(cause string) error { return badLine(p.lines[0].number, cause) }

// block reads what is indented like this: a sequence or a mapping.
func (p *yamlParser) block(indent int) (node, error) {
	if p.depth++; p.depth > maxNesting {
		return node{}, p.wrong("too deep")
	}
	defer func() { p.depth-- }()
	if isItem(p.lines[0].text) {
		return p.sequence(indent)
	}
	return p.mapping(indent)
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

func (p *yamlParser) sequence(indent int) (node, error) {
	out := node{shape: array}
	for len(p.lines) > 0 && p.lines[0].indent == indent && isItem(p.lines[0].text) {
		l := &p.lines[0]
		rest := strings.TrimLeft(l.text[1:], " ")
		_, _, isMapping, err := cutYAMLKey(rest)
		if err != nil {
			return node{}, p.wrong(err.Error())
		}
		if isMapping || isItem(rest) {
			l.indent, l.text = indent+len(l.text)-len(rest), rest
			item, err := p.block(l.indent)
			if err != nil {
				return node{}, err
			}
			out.items = append(out.items, item)
			continue
		}
		item, err := p.inner(rest, indent)
		if err != nil {
			return node{}, err
		}
		out.items = append(out.items, item)
	}
	return out, nil
}

func (p *yamlParser) mapping(indent int) (node, error) {
	out := node{shape: table}
	for len(p.lines) > 0 && p.lines[0].indent == indent && !isItem(p.lines[0].text) {
		key, rest, ok, err := cutYAMLKey(p.lines[0].text)
		switch {
		case err != nil:
			return node{}, p.wrong(err.Error())
		case !ok:
			return node{}, p.wrong("a key without a value")
		case out.has(key):
			return node{}, p.wrong("a second key of that name")
		case key == "<<":
			return node{}, p.wrong("a merge key")
		}
		item, err := p.inner(rest, indent)
		if err != nil {
			return node{}, err
		}
		out.add(key, item)
	}
	return out, nil
}

// inner reads a value: text is what stands of it on the first line, the rest is
// indented more. A sequence below a key may be indented as the key is.
func (p *yamlParser) inner(text string, indent int) (node, error) {
	if text != "" {
		n, rest, err := yamlValue(text, 0)
		if err == nil && rest != "" {
			err = errors.New("more than one value")
		}
		if err != nil {
			return node{}, p.wrong(err.Error())
		}
		p.lines = p.lines[1:] // what is indented more below it is out of line
		return n, nil
	}
	ofKey := !isItem(p.lines[0].text)
	p.lines = p.lines[1:]
	if len(p.lines) == 0 {
		return node{}, nil
	}
	if next := p.lines[0]; next.indent > indent || ofKey && next.indent == indent && isItem(next.text) {
		return p.block(next.indent)
	}
	return node{}, nil
}
