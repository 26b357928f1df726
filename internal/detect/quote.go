package detect

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Quote makes one word of a shell from a path, for a hint that is pasted.
func Quote(path string) string {
	plain, printable := true, true
	for _, r := range path {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			printable = false
		}
		if !isPlain(r) {
			plain = false
		}
	}
	switch {
	case plain && path != "":
		return path
	case printable:
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return ansiQuote(path)
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		strings.ContainsRune("/._-+,:@%", r)
}

// ansiQuote is the $'...' of bash and zsh: a newline or an escape character in
// the name of a directory must reach the shell, and not the terminal.
func ansiQuote(path string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(path) {
		c := path[i]
		if c >= ' ' && c < 0x7f && c != '\'' && c != '\\' {
			b.WriteByte(c)
			continue
		}
		b.WriteString(`\x` + strconv.FormatUint(uint64(c)|0x100, 16)[1:])
	}
	b.WriteString("'")
	return b.String()
}
