package plan

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Word makes one word of a shell from text, for a command that is pasted: into bash, zsh,
// fish or a plain sh, whichever it is. Quote is for people to read, and no shell takes it.
//
// In single quotes a backslash is one everywhere but in fish, where it quotes what comes
// next. So it stands outside of them: 'a'\\'b', as a quote does. What a terminal would not
// show as itself is written in the form of bash and zsh, which fish takes for an error.
func Word(text string) string {
	plain, printable := text != "", true
	for _, r := range text {
		printable = printable && strconv.IsPrint(r) && r != utf8.RuneError
		plain = plain && isPlain(r)
	}
	switch {
	case plain:
		return text
	case printable:
		return "'" + strings.NewReplacer("'", `'\''`, `\`, `'\\'`).Replace(text) + "'"
	}
	return ansiWord(text)
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,:@", r)
}

// ansiWord is the $'...' of bash and zsh: a newline or an escape character in a name must
// reach the shell, and not the terminal. An exclamation mark could mean an earlier command.
func ansiWord(text string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c < 0x7f && c != '\'' && c != '\\' && c != '!' {
			b.WriteByte(c)
			continue
		}
		b.WriteString(`\x` + strconv.FormatUint(uint64(c)|0x100, 16)[1:])
	}
	b.WriteString("'")
	return b.String()
}
