package settings

// drawn reports whether a part of v looks drawn by lot rather than written by
// hand. It is stricter than the judge of the environment: it sees parts of
// addresses and words, which are short and seldom mix digits into letters, and
// takes what is hexadecimal as well.
func drawn(v string) bool {
	for from := 0; from < len(v); {
		to := from
		for to < len(v) && isAlnum(v[to]) {
			to++
		}
		if drawnRun(v[from:to]) {
			return true
		}
		from = to + 1
	}
	return false
}

// isUUID reports whether s is a UUID. Most name a thing; but the address of a feed may
// log in with one.
func isUUID(s string) bool {
	const like = "00000000-0000-0000-0000-000000000000"
	if len(s) != len(like) {
		return false
	}
	for i := range len(like) {
		if c := lowerByte(s[i]); like[i] == '-' && c != '-' || like[i] == '0' && !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// The shortest runs that count: of capitals, small letters and digits, of letters
// of one case and digits, and of letters alone.
const (
	leastMixed   = 12
	leastPlain   = 16
	leastLetters = 20
)

// drawnRun counts how often a run of letters and digits changes between them, or
// from a small letter to a capital. In random ones that is at nearly every second
// place, in names at one in five.
func drawnRun(s string) bool {
	var lower, upper, digits, turns int
	for i := range len(s) {
		c := s[i]
		switch {
		case isDigit(c):
			digits++
		case c == lowerByte(c):
			lower++
		default:
			upper++
		}
		if i > 0 && (isDigit(c) != isDigit(s[i-1]) || isSmall(s[i-1]) && isLetter(c) && !isSmall(c)) {
			turns++
		}
	}
	least := leastLetters
	switch {
	case lower > 0 && upper > 0 && digits > 0:
		least = leastMixed
	case lower+upper > 0 && digits > 0:
		least = leastPlain
		if len(s) >= leastLetters {
			turns += turns / 2 // few of the signs of base32 are digits
		}
	case lower == 0 || upper == 0:
		return false // a word, or a number
	}
	return len(s) >= least && turns*4 >= len(s)
}

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }
