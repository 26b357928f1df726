package secret

// A kind is what a byte is in a name or in a token.
type kind uint8

const (
	lower kind = 1 + iota
	upper
	digit
	joint // stands in base64, its variant for URLs, or between the words of a name
)

// kinds is a table because every byte of every variable is looked up in it.
var kinds = [256]kind{
	'a': lower, 'b': lower, 'c': lower, 'd': lower, 'e': lower, 'f': lower, 'g': lower,
	'h': lower, 'i': lower, 'j': lower, 'k': lower, 'l': lower, 'm': lower, 'n': lower,
	'o': lower, 'p': lower, 'q': lower, 'r': lower, 's': lower, 't': lower, 'u': lower,
	'v': lower, 'w': lower, 'x': lower, 'y': lower, 'z': lower,
	'A': upper, 'B': upper, 'C': upper, 'D': upper, 'E': upper, 'F': upper, 'G': upper,
	'H': upper, 'I': upper, 'J': upper, 'K': upper, 'L': upper, 'M': upper, 'N': upper,
	'O': upper, 'P': upper, 'Q': upper, 'R': upper, 'S': upper, 'T': upper, 'U': upper,
	'V': upper, 'W': upper, 'X': upper, 'Y': upper, 'Z': upper,
	'0': digit, '1': digit, '2': digit, '3': digit, '4': digit,
	'5': digit, '6': digit, '7': digit, '8': digit, '9': digit,
	'+': joint, '/': joint, '_': joint, '-': joint,
}

func isLower(c byte) bool { return kinds[c] == lower }
func isUpper(c byte) bool { return kinds[c] == upper }
func isDigit(c byte) bool { return kinds[c] == digit }
func isAlnum(c byte) bool { return kinds[c]-1 < digit }

// inToken reports whether c may stand in a secret written in base64, base62 or
// hexadecimal. Padding is left out: it says nothing, and '=' separates names.
func inToken(c byte) bool { return kinds[c] != 0 }

func toUpper(c byte) byte {
	if isLower(c) {
		return c - 'a' + 'A'
	}
	return c
}
