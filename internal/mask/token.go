package mask

import (
	"bytes"
	"io"
	"strings"
)

// What is read of a JSON file. A tokenizer has tens of megabytes, and reading all
// of it at every launch would cost more than the launch; a file of tokens that is
// longer than the head shows some in it.
const (
	headOfJSON = 128 << 10
	tailOfJSON = 32 << 10
)

// harmlessTokens reports whether a JSON file holds no value that looks like a
// secret. Three kinds of file are called after tokens and hold none: a language
// model's (tokenizer.json, special_tokens_map.json), a design system's (colours
// and sizes), and a contract's or a list of coins.
func harmlessTokens(f io.ReaderAt, size int64) (why string, open bool) {
	head, ok := readAll(f, size, headOfJSON+tailOfJSON)
	if ok {
		s := scanner{data: head}
		return whyHarmless, s.harmless()
	}
	head = make([]byte, headOfJSON)
	tail := make([]byte, tailOfJSON)
	if n, err := f.ReadAt(head, 0); n < len(head) && err != nil {
		return "", false
	}
	if n, err := f.ReadAt(tail, size-tailOfJSON); n < len(tail) && err != nil {
		return "", false
	}
	first, last := scanner{data: head, cut: true}, scanner{data: afterLine(tail), cut: true, middle: true}
	return whyHarmlessEnds, first.harmless() && last.harmless()
}

// afterLine skips to the first place at which no string is open: JSON strings
// hold no line break, so that is a new line; where there is none, the end of a
// string before a comma.
func afterLine(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[i+1:]
	}
	for i := 1; i+1 < len(b); i++ {
		if b[i] == '"' && b[i+1] == ',' && b[i-1] != '\\' {
			return b[i+1:]
		}
	}
	return nil
}

// A scanner reads JSON, or as much of it as it has, and asks of each string
// whether it is a secret. It knows the names that lead to where it is; it does
// not check more of the grammar than it needs.
type scanner struct {
	data   []byte
	at     int
	cut    bool // the data ends before the file does
	middle bool // the data begins after the file does

	names   []string // of the objects and arrays around, the innermost last
	name    string   // of the value that comes next
	pending string   // a string of which we do not know yet whether it is a name
	waiting bool     // pending holds one
	scratch []byte
}

// maxDepth ends what nests without sense.
const maxDepth = 512

// harmless reads everything. What is no JSON is not harmless.
func (s *scanner) harmless() bool {
	if !s.middle && !s.begins() {
		return false
	}
	for s.at < len(s.data) {
		c := s.data[s.at]
		s.at++
		if !s.step(c) {
			return false
		}
	}
	return (s.cut || len(s.names) == 0) && !s.value()
}

// begins skips a byte order mark and spaces, and reports whether something that
// can hold values follows.
func (s *scanner) begins() bool {
	s.data = bytes.TrimLeft(bytes.TrimPrefix(s.data, []byte("\ufeff")), " \t\r\n")
	return len(s.data) > 0 && strings.IndexByte(`{["`, s.data[0]) >= 0
}

// step takes one byte outside strings. It returns false at a secret, or at what
// cannot be JSON.
func (s *scanner) step(c byte) bool {
	switch c {
	case '"':
		return s.readString()
	case ':':
		s.name, s.waiting = s.pending, false
		return !looksSecret(s.name) // a name can be one as well
	case '{', '[':
		if s.names = append(s.names, s.name); len(s.names) > maxDepth {
			return false
		}
	case '}', ']':
		if s.value() {
			return false
		}
		if n := len(s.names); n > 0 {
			s.names = s.names[:n-1]
		} else if !s.middle {
			return false
		}
	case ',':
		return !s.value()
	default:
		return strings.IndexByte(" \t\r\n+-.0123456789abcdefghijklmnopqrstuvwxyzEIN", c) >= 0 // Python writes NaN
	}
	return true
}

// value asks about a string that turned out to be a value, and forgets the name
// that led to it unless it lies in an array, whose values share one.
func (s *scanner) value() bool {
	is := s.waiting && isSecret(s.nameOf(), s.pending)
	s.waiting, s.name = false, ""
	if n := len(s.names); n > 0 {
		s.name = s.names[n-1]
	}
	return is
}

// nameOf returns the name that says what a value is. "value" and the like say
// nothing: then it is that of the object around.
func (s *scanner) nameOf() string {
	switch s.name {
	case "value", "$value", "content", "data":
		if n := len(s.names); n > 0 {
			return s.names[n-1]
		}
	}
	return s.name
}

// longest is how much of a string is looked at.
const longest = 4096

// readString reads up to the closing quote.
func (s *scanner) readString() bool {
	s.scratch = s.scratch[:0]
	for s.at < len(s.data) {
		c := s.data[s.at]
		s.at++
		switch {
		case c == '"':
			s.pending, s.waiting = string(s.scratch), true
			return true
		case c < ' ':
			return false
		case c == '\\':
			if c = s.escape(); c == 0 {
				return s.cut && s.at >= len(s.data)
			}
		}
		if len(s.scratch) < longest {
			s.scratch = append(s.scratch, c)
		}
	}
	// What is cut off in the middle of a string is looked at as far as it goes.
	s.pending, s.waiting = string(s.scratch), true
	return s.cut
}

// escape reads what follows a backslash. Characters beyond ASCII are of no
// interest here, whatever they are.
func (s *scanner) escape() byte {
	if s.at >= len(s.data) {
		return 0
	}
	c := s.data[s.at]
	s.at++
	switch c {
	case 'n', 'r', 't', 'b', 'f':
		return '\n'
	case '"', '\\', '/':
		return c
	case 'u':
		if s.at+4 > len(s.data) {
			s.at = len(s.data)
			return 0
		}
		code := s.data[s.at : s.at+4]
		s.at += 4
		return fromHex(code)
	}
	return 0
}

// fromHex returns the ASCII character of four hexadecimal digits, or '?'.
func fromHex(code []byte) byte {
	n := 0
	for _, c := range code {
		d := strings.IndexByte("0123456789abcdef", lower(c))
		if d < 0 {
			return 0
		}
		n = n<<4 | d
	}
	if n == 0 || n >= 0x80 {
		return '?'
	}
	return byte(n)
}
