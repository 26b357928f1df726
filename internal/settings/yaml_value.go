package settings

import (
	"errors"
	"strings"
)

// cutYAMLKey cuts a key and its colon off a line, if it begins with one.
func cutYAMLKey(s string) (key, rest string, ok bool, err error) {
	if s == "" || s[0] == '[' || s[0] == '{' {
		return "", "", false, nil
	}
	end := 0
	if s[0] == '"' || s[0] == '\'' {
		end = quotedLen(s)
		if !isColon(s[end:]) {
			return "", "", false, nil
		}
	} else {
		for end < len(s) && !isColon(s[end:]) {
			end++
		}
		if end == len(s) {
			return "", "", false, nil
		}
	}
	n, rest, err := yamlScalar(s[:end], "")
	if err == nil && (rest != "" || n.text == "") {
		err = errors.New("not a key")
	}
	return n.text, strings.TrimLeft(s[min(end+1, len(s)):], " \t"), err == nil, err
}

// isColon reports whether a colon that ends a key comes first.
func isColon(s string) bool {
	return s != "" && s[0] == ':' && (len(s) == 1 || s[1] == ' ' || s[1] == '\t')
}

// yamlValue reads one value on a line and returns what follows it.
func yamlValue(s string, depth int) (n node, rest string, err error) {
	if depth > maxNesting {
		return node{}, "", errors.New("too deep")
	}
	switch {
	case s != "" && s[0] == '[':
		return yamlFlow(s[1:], ']', depth)
	case s != "" && s[0] == '{':
		return yamlFlow(s[1:], '}', depth)
	case depth > 0:
		return yamlScalar(s, ",]}")
	}
	return yamlScalar(s, "")
}

// yamlFlow reads what stands in brackets, behind the first.
func yamlFlow(s string, closing byte, depth int) (n node, rest string, err error) {
	n.shape = array
	if closing == '}' {
		n.shape = table
	}
	for {
		s = strings.TrimLeft(s, " \t")
		if s != "" && s[0] == closing {
			return n, strings.TrimLeft(s[1:], " \t"), nil
		}
		key := ""
		if n.shape == table {
			var ok bool
			if key, s, ok, err = cutYAMLKey(s); err != nil || !ok || n.has(key) || strings.ContainsAny(key, ",[]{}") {
				return n, "", errors.New("not a mapping on one line")
			}
		}
		var item node
		if item, s, err = yamlValue(s, depth+1); err != nil {
			return n, "", err
		}
		n.items = append(n.items, item)
		if n.shape == table {
			n.names = append(n.names, key)
		}
		s = strings.TrimLeft(s, " \t")
		if s == "" || s[0] != ',' && s[0] != closing {
			return n, "", errors.New("brackets that do not close")
		}
		s = strings.TrimPrefix(s, ",")
	}
}

// yamlScalar reads a scalar that ends at one of the bytes in stop, or with s.
func yamlScalar(s, stop string) (n node, rest string, err error) {
	if s == "" {
		return node{}, "", nil
	}
	if s[0] == '"' || s[0] == '\'' {
		end := quotedLen(s)
		text, ok := yamlUnquote(s[:end])
		if !ok {
			return node{}, "", errors.New("not a quoted value")
		}
		return node{text: text}, strings.TrimLeft(s[end:], " \t"), nil
	}
	if strings.IndexByte("&*!|>%@`?,[]{}#", s[0]) >= 0 || isItem(s) || isColon(s) {
		return node{}, "", errors.New("not a plain value")
	}
	end := len(s)
	if stop != "" {
		end = until(s, stop)
	}
	text := strings.TrimRight(s[:end], " \t")
	if strings.Contains(text, ": ") || strings.HasSuffix(text, ":") || strings.Contains(text, " #") {
		return node{}, "", errors.New("a mapping within a value")
	}
	return node{text: text}, s[end:], nil
}

func yamlUnquote(s string) (string, bool) {
	if len(s) < 2 || s[len(s)-1] != s[0] {
		return "", false
	}
	if s[0] == '"' {
		return jsonString(s) // of the escapes, those that JSON has too
	}
	inner := s[1 : len(s)-1]
	return strings.ReplaceAll(inner, "''", "'"), strings.Count(inner, "'")%2 == 0
}

// writeYAML writes a mapping. Everything in it is text to those who read it.
func writeYAML(n node) []byte { return appendYAML(nil, n, 0) }

func appendYAML(b []byte, n node, indent int) []byte {
	for i, item := range n.items {
		b = appendIndent(b, indent)
		if n.shape == table {
			b = append(appendYAMLText(b, n.names[i]), ':')
		} else {
			b = append(b, '-')
		}
		switch {
		case item.shape == scalar:
			b = append(appendYAMLText(append(b, ' '), item.text), '\n')
		case len(item.items) == 0:
			b = append(b, " []\n"...)
		default:
			b = appendYAML(append(b, '\n'), item, indent+2)
		}
	}
	return b
}

func appendIndent(b []byte, n int) []byte { return append(b, strings.Repeat(" ", n)...) }

// appendYAMLText writes text plain where no reader takes it for something else.
func appendYAMLText(b []byte, s string) []byte {
	if isBareKey(s) && isLetter(s[0]) {
		return append(b, s...)
	}
	return appendQuoted(b, s)
}
