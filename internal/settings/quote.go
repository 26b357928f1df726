package settings

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonString decodes a string of JSON.
func jsonString(s string) (string, bool) {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return "", false
	}
	return unescapeText(s[1:len(s)-1], jsonEscape)
}

// unescapeText undoes the escapes of quoted text. escape decodes what follows a
// backslash and returns how much of it that was, 0 for what is no escape.
func unescapeText(s string, escape func(s string) (rune, int)) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c < ' ':
			return "", false
		case c == '\\':
			r, n := escape(s[i+1:])
			if n == 0 {
				return "", false
			}
			b.WriteRune(r)
			i += n
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// jsonEscape decodes the escapes of JSON.
func jsonEscape(s string) (rune, int) {
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[0]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 1
	}
	if s[0] != 'u' {
		return 0, 0
	}
	r, ok := hex(s[1:], 4)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := hex(strings.TrimPrefix(s[5:], `\u`), 4); ok && len(s) >= 11 && s[5:7] == `\u` {
			return utf16.DecodeRune(r, low), 11
		}
		return utf8.RuneError, 5
	}
	return r, 5
}

// hex reads a number of n hexadecimal digits.
func hex(s string, n int) (r rune, ok bool) {
	if len(s) < n {
		return 0, false
	}
	for i := range n {
		d := strings.IndexByte("0123456789abcdef", lowerByte(s[i]))
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// appendQuoted writes text in double quotes, as JSON, TOML and YAML read it alike.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ' || r == 0x7f:
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
