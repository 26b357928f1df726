package mask

import (
	"unicode"
	"unicode/utf8"
)

// fold appends name to dst so that names which differ only in the case of their
// letters become equal. Bytes that are no UTF-8 stay as they are.
func fold(dst, name []byte) []byte {
	for i := 0; i < len(name); {
		c := name[i]
		if c < utf8.RuneSelf {
			dst = append(dst, lower(c))
			i++
			continue
		}
		r, n := utf8.DecodeRune(name[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, c)
		} else {
			dst = utf8.AppendRune(dst, foldRune(r))
		}
		i += n
	}
	return dst
}

// foldRune returns the least of all forms of r, in small letters. The Kelvin sign
// becomes k: file systems that ignore case open one by the other.
func foldRune(r rune) rune {
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	if least < utf8.RuneSelf {
		return rune(lower(byte(least)))
	}
	return least
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
