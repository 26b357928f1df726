package settings

import (
	"strconv"
	"strings"
)

// A pair is one line of an .npmrc.
type pair struct {
	key, value string
	bare       bool // without an equals sign
	array      bool // key[]
	foreign    bool // below a [section], where npm looks for nothing
	line       int
}

// npmPairs parses an .npmrc as npm does, for which every text is one: a line that
// is nothing else is a key by itself.
func npmPairs(content string) []pair {
	var all []pair
	foreign := false
	for i, line := range strings.Split(strings.ReplaceAll(strings.ReplaceAll(content, "\r\n", "\n"), "\r", "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == ';' || trimmed[0] == '#' {
			continue
		}
		if line[0] == '[' && strings.IndexByte(trimmed, ']') == len(trimmed)-1 {
			foreign = true
			continue
		}
		key, value, found := strings.Cut(line, "=")
		p := pair{key: npmUnquote(key), value: npmUnquote(value), bare: !found, foreign: foreign, line: i + 1}
		if bare, array := strings.CutSuffix(p.key, "[]"); array && bare != "" {
			p.key, p.array = bare, true
		}
		all = append(all, p)
	}
	return all
}

// npmUnquote undoes the quotes of a key or a value, and cuts the comment off one
// that has none.
func npmUnquote(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if q := s[0]; (q == '"' || q == '\'') && s[len(s)-1] == q {
		if q == '\'' {
			s = s[min(1, len(s)-1):max(len(s)-1, 0)]
		}
		if text, ok := jsonString(s); ok {
			return text
		}
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ';' || c == '#':
			return strings.TrimSpace(b.String())
		case c == '\\' && i+1 < len(s) && strings.IndexByte(`\;#`, s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}

// npmrc writes the pairs that stay.
func (s *stripper) npmrc(content string) []byte {
	var out []byte
	for _, p := range npmPairs(content) {
		row, name := s.npmRow(p)
		if row == nil && name == "" {
			name = "line " + strconv.Itoa(p.line)
		}
		if p.bare {
			p.value = "true" // what npm takes it for
		}
		value, ok := s.value(row, name, p.value)
		if !ok {
			continue
		}
		out = append(out, p.key...)
		if p.array {
			out = append(out, "[]"...)
		}
		out = append(out, '=')
		out = append(appendNpm(out, value), '\n')
	}
	return out
}

// npmRow returns the row of a pair, or nil, and what the key is called.
func (s *stripper) npmRow(p pair) (*row, string) {
	switch {
	case p.foreign || p.bare && find(s.tool.rows, []string{p.key}, false) == nil:
		return nil, ""
	case strings.HasPrefix(p.key, "//"):
		return s.npmHost(p.key)
	case strings.HasPrefix(p.key, "@"):
		if scope, found := strings.CutSuffix(p.key, ":registry"); found && isScope(scope) {
			return &npmScope, "@" + shown(nil, scope[1:]) + ":registry"
		}
		return nil, ""
	case isMirror(p.key):
		return &npmMirror, shown(nil, p.key)
	}
	r := find(s.tool.rows, []string{p.key}, false)
	if r != nil {
		return r, r.key
	}
	if !keyLike(p.key) || strings.Trim(p.value, "=") == "" {
		return nil, "" // base64 ends so
	}
	return nil, p.key
}

// The rows of keys that hold a name.
var (
	npmScope  = row{key: "@*:registry", kind: address}
	npmMirror = row{key: "*_mirror", kind: address, why: "where install scripts fetch their binaries"}
	npmNone   = row{kind: leave}
)

// npmHost returns the row of a key such as //host/path/:_authToken. What belongs
// to one registry is a credential of some kind or the name of one's file.
func (s *stripper) npmHost(key string) (*row, string) {
	place, field := cutLast(key, ':')
	r := find(npmHostKeys[:], []string{field}, false)
	if r == nil {
		return nil, ""
	}
	host, tail, _ := strings.Cut(strings.TrimPrefix(place, "//"), "/")
	clean, lost, ok := s.address("https:" + place)
	if ok && lost == "" && clean == "https:"+place && !strings.ContainsAny(place, "$@") {
		if tail != "" {
			host += "/*"
		}
		return r, "//" + host + "/:" + r.key
	}
	return &npmNone, "//*/:" + r.key
}

// isScope knows @scope of a package.
func isScope(s string) bool {
	for i := 1; i < len(s); i++ {
		if !isAlnum(s[i]) && strings.IndexByte("._~-", s[i]) < 0 {
			return false
		}
	}
	return 1 < len(s) && len(s) <= 100 && isHarmless(s) && !drawn(s)
}

// isMirror knows the keys by which packages say where their binaries come from.
// Every package has its own, so they are known by how they end.
func isMirror(key string) bool {
	for i := range len(key) {
		if !isAlnum(key[i]) && key[i] != '_' && key[i] != '-' {
			return false
		}
	}
	for _, end := range [...]string{"mirror", "cdnurl", "binary_host", "binary_site", "download_host", "download_url", "disturl", "dist_url", "dist-url"} {
		if strings.HasSuffix(key, end) {
			return len(key) <= 64 && isHarmless(key) && !drawn(key)
		}
	}
	return false
}

// appendNpm writes a value so that npm reads the same, quoted where it must.
func appendNpm(b []byte, v string) []byte {
	for i := range len(v) {
		if !isAlnum(v[i]) && strings.IndexByte("._/:@+,~^*-${}()%!&?<>|", v[i]) < 0 {
			return appendQuoted(b, v)
		}
	}
	return append(b, v...)
}
