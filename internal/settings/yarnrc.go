package settings

import (
	"errors"
	"strconv"
	"strings"
)

// yarnPairs parses a .yarnrc, yarn 1's own file. It is written as yarn's lock file is:
// lines of a key and a value, each a word, or text between the quotes of JSON.
func yarnPairs(content string) (all []pair, err error) {
	number := 0
	for line := range strings.SplitSeq(strings.ReplaceAll(content, "\r\n", "\n"), "\n") {
		number++
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, err := yarnPair(line)
		if err != nil {
			return nil, badLine(number, err.Error())
		}
		all = append(all, pair{key: key, value: value, line: number})
	}
	return all, nil
}

// yarnrc writes the pairs that stay.
func (s *stripper) yarnrc(content string) ([]byte, error) {
	all, err := yarnPairs(content)
	var out []byte
	for _, p := range all {
		row, name := s.yarnRow(p)
		value, ok := s.value(row, name, p.value)
		if ok {
			out = appendYarn(append(appendYarn(out, p.key), ' '), value)
			out = append(out, '\n')
		}
	}
	return out, err
}

// yarnRow returns the row of a pair, or nil, and what the key is called. A key such as
// --install.frozen-lockfile sets what one command takes.
func (s *stripper) yarnRow(p pair) (*row, string) {
	if option, found := strings.CutPrefix(p.key, "--"); found {
		if command, rest, found := strings.Cut(option, "."); found && keyLike(command) {
			option = rest
		}
		p.key = option
	}
	row, name := s.npmRow(p)
	if name == "" {
		name = "line " + strconv.Itoa(p.line)
	}
	return row, name
}

// yarnPair parses a line. Whoever indents it, or leaves an address without quotes,
// says something else to yarn.
func yarnPair(line string) (key, value string, err error) {
	key, rest, err := yarnWord(line)
	if err != nil {
		return "", "", err
	}
	if rest == "" || rest[0] != ' ' {
		return "", "", errors.New("not a key and a value")
	}
	value, rest, err = yarnWord(strings.TrimLeft(rest, " "))
	if rest = strings.TrimLeft(rest, " "); err == nil && rest != "" && rest[0] != '#' {
		err = errors.New("more than a key and a value")
	}
	return key, value, err
}

// yarnWord cuts a word or a text off a line.
func yarnWord(s string) (word, rest string, err error) {
	if s == "" {
		return "", "", errors.New("not a key and a value")
	}
	if s[0] != '"' {
		end := until(s, ` :,"#`)
		if !yarnBare(s[:end]) {
			return "", "", errors.New("text without quotes")
		}
		return s[:end], s[end:], nil
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			if text, ok := jsonString(s[:i+1]); ok {
				return text, s[i+1:], nil
			}
			return "", "", errors.New("text that is not JSON's")
		}
	}
	return "", "", errors.New("text without an end")
}

// yarnBare knows the words that yarn reads whole without quotes.
func yarnBare(s string) bool {
	switch {
	case s == "true" || s == "false" || isDigits(s):
		return true
	case s == "" || strings.HasPrefix(s, "true") || strings.HasPrefix(s, "false"):
		return false
	}
	return isLetter(s[0]) || strings.IndexByte("/.-", s[0]) >= 0
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// appendYarn writes a word so that yarn reads the same, of the same type.
func appendYarn(b []byte, v string) []byte {
	if v == "true" || v == "false" || isDigits(v) {
		return append(b, v...)
	}
	return appendQuoted(b, v)
}
