package settings

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Bounds of what one file of git's can make us read. Git follows ten levels.
const (
	maxDepth = 5
	maxReads = 32
)

func (s *stripper) git(content string) ([]byte, error) {
	all, err := parseGit(content)
	if err != nil {
		return nil, err
	}
	dir, _ := split(strings.TrimPrefix(s.tool.Path, "~/"))
	return writeGit(s.gitFile(all, dir, 0)), nil
}

// gitFile returns the keys of one file that stay. Files that it includes come in
// their place, since a later value overrules an earlier one. dir is the file's
// directory below the home.
func (s *stripper) gitFile(all []gitKey, dir string, depth int) []gitKey {
	kept := make([]gitKey, 0, len(all))
	for _, k := range all {
		switch {
		case k.section == "include" && !k.hasSub && k.key == "path":
			if found, dir, ok := s.include(k, dir, depth); ok {
				kept = append(kept, s.gitFile(found, dir, depth+1)...)
			}
		case k.section == "includeif" && k.hasSub && k.key == "path":
			if k, ok := s.includeIf(k, dir, depth); ok {
				kept = append(kept, k)
			}
		default:
			if k, ok := s.gitKey(k); ok {
				kept = append(kept, k)
			}
		}
	}
	return kept
}

// include returns the keys of the file that an include names, and its directory.
func (s *stripper) include(k gitKey, dir string, depth int) (all []gitKey, its string, ok bool) {
	rel, inHome := s.below(k.value, dir)
	if inHome && depth < maxDepth {
		text, err := s.read(rel)
		if err == nil {
			all, err = parseGit(text)
		}
		if err == nil {
			its, _ = split(rel)
			return all, its, true
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, "", false
		}
	}
	if k.hasSub {
		s.leave("includeIf.path")
	} else {
		s.leave("include.path")
	}
	return nil, "", false
}

// includeIf keeps an include that depends on where one works: only git knows. The
// file becomes a copy at its own path.
func (s *stripper) includeIf(k gitKey, dir string, depth int) (gitKey, bool) {
	_, pattern, _ := strings.Cut(k.sub, ":")
	if !isText(k.sub) || drawn(k.sub) || strings.HasPrefix(pattern, "./") {
		s.leave("includeIf.path") // ./ means another directory once the file is merged
		return k, false
	}
	all, its, ok := s.include(k, dir, depth)
	if !ok {
		return k, false
	}
	rel, _ := s.below(k.value, dir)
	k.value = "~/" + rel
	at := slices.IndexFunc(s.files, func(f File) bool { return f.Path == k.value })
	if at < 0 {
		at = len(s.files)
		s.files = append(s.files, File{Path: k.value}) // first, so that a circle ends
		data := writeGit(s.gitFile(all, its, depth+1))
		s.files[at].Data = append([]byte{}, data...)
	} else if s.files[at].Data == nil {
		s.leave("includeIf.path") // a circle, with which git would refuse to work
		return k, false
	}
	return k, true
}

func (s *stripper) has(name string) bool {
	return slices.ContainsFunc(s.files, func(f File) bool { return f.Path == name })
}

// read asks for a file of the home.
func (s *stripper) read(rel string) (string, error) {
	if s.reads++; s.reads > maxReads || s.inside.Read == nil {
		return "", errors.New("not read")
	}
	content, err := s.inside.Read(rel)
	if err != nil {
		return "", err
	}
	return plainText(content)
}

// below returns the path below the home that settings in the directory dir name,
// and reports whether it lies in the home.
func (s *stripper) below(name, dir string) (rel string, ok bool) {
	rel, ok = strings.CutPrefix(name, "~/")
	switch {
	case ok:
	case path.IsAbs(name):
		if s.inside.Home == "" || s.inside.Home == "/" {
			return "", false
		}
		if rel, ok = strings.CutPrefix(path.Clean(name), s.inside.Home+"/"); !ok {
			return "", false
		}
	case name == "" || name[0] == '~' || name[0] == '%':
		return "", false // ~user/ and %(prefix)/ are not the home
	default:
		rel = path.Join(dir, name)
	}
	rel = path.Clean(rel)
	first, _, _ := strings.Cut(rel, "/")
	return rel, first != "." && first != ".." && first != "" && isPath(rel)
}

// gitKey returns what stays of one key.
func (s *stripper) gitKey(k gitKey) (gitKey, bool) {
	parts := []string{k.section, k.sub, k.key}
	if !k.hasSub {
		parts = []string{k.section, k.key}
	}
	row := find(s.tool.rows, parts, true)
	if row == nil {
		s.leave(s.unknown(k))
		return k, false
	}
	name := named(row, parts...)
	_, last := cutLast(row.key, '.')
	if !s.subsection(&k, name) || last == "*" && secretName(k.key) {
		s.leave(name)
		return k, false
	}
	if last != "*" {
		k.key = last
	}
	if k.bare {
		_, ok := s.value(row, name, "true")
		return k, ok
	}
	if row.kind == patterns {
		value, ok := s.patternFile(k.value)
		if k.value = value; !ok {
			s.leave(name)
		}
		return k, ok
	}
	value, ok := s.value(row, name, k.value)
	k.value = value
	return k, ok
}

// unknown names a key of git's that is not in the table.
func (s *stripper) unknown(k gitKey) string {
	section, key := k.spelled.section, k.spelled.key
	if k.bare {
		key = "" // as a rule not even a key
	}
	if k.hasSub {
		return shown(s.tool.rows, section, "*", key)
	}
	return shown(s.tool.rows, section, key)
}

// subsection judges the middle of a key, which is a URL for some.
func (s *stripper) subsection(k *gitKey, name string) bool {
	if !k.hasSub {
		return true
	}
	if k.section != "url" && k.section != "http" {
		return isName(k.sub)
	}
	base, lost, ok := s.address(k.sub)
	if lost != "" && k.section == "url" {
		// What the user rewrites to an address with a token is rewritten to the
		// address: what is public is found there, too.
		s.leave(name + " (" + lost + ")")
		k.sub = base
		return ok
	}
	return ok && lost == ""
}

// patternFile keeps the name of a file of patterns, which becomes a copy if it
// lies in the home.
func (s *stripper) patternFile(name string) (string, bool) {
	rel, inHome := s.below(name, "")
	if !inHome || !path.IsAbs(name) && name[0] != '~' {
		return name, path.IsAbs(name) && isPath(name)
	}
	name = "~/" + rel
	if name == gitIgnore || name == gitAttributes || s.has(name) {
		return name, true
	}
	_, base := split(rel)
	if !strings.Contains(base, "ignore") && !strings.Contains(base, "exclude") && !strings.Contains(base, "attributes") {
		return "", false // who knows what else it is
	}
	content, err := s.read(rel)
	if err != nil {
		return "", false
	}
	s.files = append(s.files, File{Path: name, Data: s.patterns(content)})
	return name, true
}

// patterns copies the lines of a file of patterns that stay.
func (s *stripper) patterns(content string) []byte {
	var out []byte
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\r\n")
		if trimmed := strings.TrimSpace(line); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if len(line) > 1024 || !isPrintable(line, "\t") || !isHarmless(line) || drawn(line) {
			s.leave("a pattern")
			continue
		}
		out = append(append(out, line...), '\n')
	}
	return out
}
