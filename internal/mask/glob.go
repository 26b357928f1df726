package mask

import (
	"bytes"
	"errors"
	"unicode"
	"unicode/utf8"
)

// A glob matches one component of a path. Names and literals are folded.
type glob struct {
	deep  bool // the component **: any number of directories
	stars bool // made of literals and '*' alone, which parts then hold
	parts [][]byte
	items []item // everything else
}

// An item is one step of a glob.
type item struct {
	kind itemKind
	r    rune
	set  []span
	not  bool
}

type itemKind uint8

const (
	literal itemKind = iota
	star             // any text
	anyRune          // ?
	class            // [...]
)

// A span is a range of a class, both ends included.
type span struct{ lo, hi rune }

// isLiteral reports whether exactly one folded name matches.
func (g *glob) isLiteral() bool { return g.stars && len(g.parts) == 1 }

// match reports whether the folded name matches.
func (g *glob) match(name []byte) bool {
	switch {
	case g.deep:
		return true
	case g.stars:
		return matchStars(g.parts, name)
	}
	return matchItems(g.items, name)
}

// matchStars matches literals with any text between them. The first occurrence of
// each is as good as any later one.
func matchStars(parts [][]byte, name []byte) bool {
	if len(parts) == 1 {
		return bytes.Equal(parts[0], name)
	}
	last := parts[len(parts)-1]
	if !bytes.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	if !bytes.HasSuffix(name, last) {
		return false
	}
	name = name[:len(name)-len(last)]
	for _, p := range parts[1 : len(parts)-1] {
		i := bytes.Index(name, p)
		if i < 0 {
			return false
		}
		name = name[i+len(p):]
	}
	return true
}

// matchItems backtracks to the last star only: what an earlier one could do, a
// later one can too. So it is quadratic at worst, whatever the pattern.
func matchItems(items []item, name []byte) bool {
	i, at := 0, 0
	backTo, backAt := -1, 0
	for at < len(name) || i < len(items) {
		if i < len(items) && items[i].kind == star {
			backTo, backAt = i, at
			i++
			continue
		}
		if i < len(items) && at < len(name) {
			if r, n := utf8.DecodeRune(name[at:]); items[i].matches(r, n, name[at]) {
				i, at = i+1, at+n
				continue
			}
		}
		if backTo < 0 || backAt >= len(name) {
			return false
		}
		_, n := utf8.DecodeRune(name[backAt:])
		backAt += n
		i, at = backTo+1, backAt
	}
	return true
}

// matches compares one character. A byte b that is no UTF-8 stands for itself,
// beyond the last rune, so that it equals no real character.
func (it *item) matches(r rune, n int, b byte) bool {
	if r == utf8.RuneError && n == 1 {
		r = badByte(b)
	}
	switch it.kind {
	case literal:
		return it.r == r
	case anyRune:
		return true
	}
	return it.contains(r) != it.not
}

func badByte(b byte) rune { return unicode.MaxRune + 1 + rune(b) }

// contains tries every case of r, since the ends of a range are as written.
func (it *item) contains(r rune) bool {
	if r > unicode.MaxRune {
		return inSpans(it.set, r)
	}
	for o := r; ; {
		if inSpans(it.set, o) {
			return true
		}
		if o = unicode.SimpleFold(o); o == r {
			return false
		}
	}
}

func inSpans(set []span, r rune) bool {
	for _, s := range set {
		if s.lo <= r && r <= s.hi {
			return true
		}
	}
	return false
}

// parseGlob reads one component of a pattern.
func parseGlob(text string) (glob, error) {
	if text == "**" {
		return glob{deep: true}, nil
	}
	items, err := parseItems(text)
	if err != nil {
		return glob{}, err
	}
	g := glob{items: items, stars: true, parts: [][]byte{nil}}
	for _, it := range items {
		switch end := len(g.parts) - 1; it.kind {
		case literal:
			g.parts[end] = appendItem(g.parts[end], it.r)
		case star:
			g.parts = append(g.parts, nil)
		default:
			g.stars, g.parts = false, nil
			return g, nil
		}
	}
	g.items = nil
	return g, nil
}

func appendItem(dst []byte, r rune) []byte {
	if r > unicode.MaxRune {
		return append(dst, byte(r-unicode.MaxRune-1))
	}
	return utf8.AppendRune(dst, r)
}

func parseItems(text string) (items []item, err error) {
	for text != "" {
		var it item
		switch text[0] {
		case '*':
			it.kind, text = star, text[1:]
			if n := len(items); n > 0 && items[n-1].kind == star {
				continue // two say no more than one
			}
		case '?':
			it.kind, text = anyRune, text[1:]
		case '[':
			it, text, err = parseClass(text[1:])
		default:
			it.r, text, err = parseRune(text)
			it.r = foldPattern(it.r)
		}
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

func foldPattern(r rune) rune {
	if r > unicode.MaxRune {
		return r
	}
	return foldRune(r)
}

// parseRune reads one character, perhaps behind a backslash.
func parseRune(text string) (rune, string, error) {
	if text[0] == '\\' {
		text = text[1:]
		if text == "" {
			return 0, "", errors.New("it ends in a backslash")
		}
	}
	r, n := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && n == 1 {
		r = badByte(text[0])
	}
	return r, text[n:], nil
}
