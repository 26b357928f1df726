package settings

import (
	"slices"
	"strings"
)

// An option is one key of a section, with its lines.
type option struct {
	section, key string
	spelled      string // the key as it stands; the parser does not care for capitals
	lines        []string
}

// iniOptions parses what Python's configparser reads: a line that is indented
// more than its key continues the value, and nothing may come twice.
func iniOptions(content string) ([]option, error) {
	p := iniParser{seen: map[string]bool{}}
	content = strings.ReplaceAll(strings.ReplaceAll(content, "\r\n", "\n"), "\r", "\n")
	for i, line := range strings.Split(content, "\n") {
		if cause := p.line(line); cause != "" {
			return nil, badLine(i+1, cause)
		}
	}
	return p.all, nil
}

type iniParser struct {
	all     []option
	seen    map[string]bool
	section string
	indent  int  // of the last key
	open    bool // a key can be continued
}

// line reads one line and returns what is wrong with it.
func (p *iniParser) line(line string) (wrong string) {
	text := strings.TrimSpace(line)
	if text == "" || text[0] == '#' || text[0] == ';' {
		return "" // an empty line within a value means nothing to those who read it
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t\v\f"))
	if p.open && indent > p.indent {
		last := &p.all[len(p.all)-1]
		last.lines = append(last.lines, text)
		return ""
	}
	p.indent = indent
	if text[0] == '[' && strings.LastIndexByte(text, ']') > 1 {
		p.section, p.open = text[1:strings.LastIndexByte(text, ']')], false
		return p.once("[" + p.section)
	}
	if p.section == "" {
		return "a key above the first section"
	}
	i := strings.IndexAny(text, "=:")
	if i < 0 {
		return "a key without a value"
	}
	spelled := strings.TrimSpace(text[:i])
	key := strings.ToLower(spelled)
	if key == "" {
		return "a value without a key"
	}
	o := option{section: p.section, key: key, spelled: spelled}
	if v := strings.TrimSpace(text[i+1:]); v != "" {
		o.lines = []string{v}
	}
	p.all, p.open = append(p.all, o), true
	return p.once(p.section + "]" + key)
}

func (p *iniParser) once(what string) (wrong string) {
	if p.seen[what] {
		return "a second one of that name"
	}
	p.seen[what] = true
	return ""
}

// ini writes the options that stay, in their sections.
func (s *stripper) ini(content string) ([]byte, error) {
	all, err := iniOptions(content)
	if err != nil {
		return nil, err
	}
	var out []byte
	section := ""
	for _, o := range all {
		row, name := s.iniRow(o)
		value, ok := s.value(row, name, strings.Join(o.lines, "\n"))
		if !ok {
			continue
		}
		if o.section != section {
			section = o.section
			out = append(out, "["+section+"]\n"...)
		}
		out = append(out, o.key+" = "+strings.ReplaceAll(value, "\n", "\n    ")+"\n"...)
	}
	return out, nil
}

// iniRow returns the row of an option, or nil, and what it is called. pip says
// _ for - in keys, and knows the sections that are named for its commands; in
// .pypirc the sections are the user's.
func (s *stripper) iniRow(o option) (*row, string) {
	r := find(s.tool.rows, []string{optionKey(o.key)}, false)
	name := shown(s.tool.rows, optionKey(o.spelled))
	if r != nil {
		name = r.key
	}
	if !isSection(o.section) || s.tool.Name == "pip" && !slices.Contains(pipSections[:], o.section) {
		r = nil
	}
	return r, shown(nil, o.section) + "." + name
}

func optionKey(s string) string {
	return strings.TrimPrefix(strings.ReplaceAll(s, "_", "-"), "--")
}

// isSection knows what users name repositories. Of the section DEFAULT every
// other has the keys.
func isSection(s string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && strings.IndexByte("-_.", s[i]) < 0 {
			return false
		}
	}
	return s != "DEFAULT" && len(s) <= 64 && isHarmless(s) && !drawn(s)
}
