package config

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// An Error says what is wrong with a configuration and where.
type Error struct {
	File  string // empty for a flag
	Line  int    // from 1; 0 where the whole file is meant
	Key   string // the key or the flag; may be empty
	Cause string // lower case, one line, without the place
	Hint  string // what to type about it; may be empty

	directory bool // a directory stands where a file should
}

// Error returns the place and the cause in one line that no file or name can
// break: it goes to a terminal.
func (e *Error) Error() string {
	switch {
	case e.File == "":
		return printable(e.Cause)
	case e.Line == 0:
		return printable(e.File + ": " + e.Cause)
	}
	return printable(fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Cause))
}

// Advice is what to type about it: where nothing better is known, the page that explains
// the language.
func (e *Error) Advice() string {
	switch {
	case e.Hint != "":
		return e.Hint
	case e.File == "":
		return "man 1 jail"
	}
	return "man 5 jail-config"
}

// printable escapes what would move a cursor or hide text on a terminal.
func printable(s string) string {
	plain := func(r rune) bool { return unicode.IsPrint(r) && r != unicode.ReplacementChar }
	if strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if plain(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// quote shows a value of a file in a message: on one line, and not all of a long
// one.
func quote(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "..."
	}
	return strconv.Quote(s)
}

// Nearest returns the candidate that a typing error most likely meant.
func Nearest(word string, candidates []string) (string, bool) {
	best, least := "", 1+min(max(1, len(word)/3), 3)
	for _, c := range candidates {
		if d := distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best, best != ""
}

// distance counts the letters to insert, drop, replace or swap with a neighbour.
func distance(a, b string) int {
	const long = 40 // no key is longer, and a hostile one may be
	if len(a) > long || len(b) > long {
		return long
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
