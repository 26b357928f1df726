package mask

import (
	"errors"
	"strings"
	"unicode"
)

var errClass = errors.New("a [ in it is never closed")

// parseClass reads what follows a '[': ranges, characters and names such as
// [:digit:], after '!' or '^' all others. A ']' that comes first is one of them.
func parseClass(text string) (item, string, error) {
	it := item{kind: class}
	if text != "" && (text[0] == '!' || text[0] == '^') {
		it.not, text = true, text[1:]
	}
	for first := true; ; first = false {
		switch {
		case text == "":
			return it, "", errClass
		case text[0] == ']' && !first:
			return it, text[1:], nil
		case strings.HasPrefix(text, "[:") && strings.Contains(text[2:], ":]"):
			name, rest, _ := strings.Cut(text[2:], ":]")
			set, known := namedClass(name)
			if !known {
				return it, "", errors.New("it holds an unknown class of characters")
			}
			it.set, text = append(it.set, set...), rest
			continue
		}
		s, rest, err := parseSpan(text)
		if err != nil {
			return it, "", err
		}
		it.set, text = append(it.set, s), rest
	}
}

// parseSpan reads one character or a range. A '-' before the closing ']' is one
// of the characters.
func parseSpan(text string) (span, string, error) {
	lo, rest, err := parseRune(text)
	if err != nil {
		return span{}, "", err
	}
	if len(rest) < 2 || rest[0] != '-' || rest[1] == ']' {
		return span{lo, lo}, rest, nil
	}
	hi, rest, err := parseRune(rest[1:])
	if err != nil {
		return span{}, "", err
	}
	return span{lo, hi}, rest, nil
}

// namedClass knows the POSIX classes, of ASCII as in git.
func namedClass(name string) ([]span, bool) {
	switch name {
	case "alnum":
		return []span{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}, true
	case "alpha":
		return []span{{'A', 'Z'}, {'a', 'z'}}, true
	case "blank":
		return []span{{'\t', '\t'}, {' ', ' '}}, true
	case "cntrl":
		return []span{{0, 0x1f}, {unicode.MaxASCII, unicode.MaxASCII}}, true
	case "digit":
		return []span{{'0', '9'}}, true
	case "graph":
		return []span{{'!', '~'}}, true
	case "lower", "upper": // the same, since case does not matter
		return []span{{'a', 'z'}}, true
	case "print":
		return []span{{' ', '~'}}, true
	case "punct":
		return []span{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}, true
	case "space":
		return []span{{'\t', '\r'}, {' ', ' '}}, true
	case "xdigit":
		return []span{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}, true
	}
	return nil, false
}
