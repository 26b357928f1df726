package secret

import (
	"math/bits"
	"strings"
)

// inWords looks at every word of s by itself: for the marks of an issuer, then
// for a long random string.
func inWords(s string) (looks string, found bool) {
	for from := 0; from < len(s); {
		if !inToken(s[from]) {
			from++
			continue
		}
		to := from
		for to < len(s) && inToken(s[to]) {
			if isAlnum(s[to]) && (to == 0 || !isAlnum(s[to-1])) && issued(s[to:]) {
				return "a token", true
			}
			to++
		}
		if !inPath(s, from, to) && random(s[from:to]) {
			return "a long random string", true
		}
		from = to
	}
	return "", false
}

// inPath reports whether the word from here to there continues or begins a path.
// Stores name their directories by random strings; what they hold is shown or
// hidden as files.
func inPath(s string, from, to int) bool {
	if s[from] == '/' {
		return true
	}
	return from > 0 && (s[from-1] == '.' || s[from-1] == '~') && strings.IndexByte(s[from:to], '/') >= 0
}

// The shortest strings that count as random: of capitals, small letters and
// digits, and of letters of one case and digits, which names of things are made
// of as well.
const (
	leastMixed = 20
	leastPlain = 32
)

// random reports whether w looks drawn by lot rather than written by hand. What
// is all hexadecimal names a commit, a digest or a UUID far more often than it
// opens a door.
func random(w string) bool {
	if len(w) < leastMixed || isHex(w) || isPublic(w) {
		return false
	}
	c := count(w)
	if c.lower >= 2 && c.upper >= 2 && c.digits >= 1 {
		// Of random strings of 24 characters nine in ten are less than two
		// thirds words, of the names in large programs hardly one.
		return wordy(w)*3 < len(w)*2 && c.distinct*2 >= min(len(w), leastPlain)
	}
	return len(w) >= leastPlain && c.digits >= leastPlain/6 && mixesDigits(w)
}

// A tally says what a string is made of.
type tally struct{ lower, upper, digits, distinct int }

func count(w string) (t tally) {
	var seen [2]uint64
	for i := range len(w) {
		c := w[i]
		seen[c>>6&1] |= 1 << (c & 63)
		switch kinds[c] {
		case lower:
			t.lower++
		case upper:
			t.upper++
		case digit:
			t.digits++
		}
	}
	t.distinct = bits.OnesCount64(seen[0]) + bits.OnesCount64(seen[1])
	return t
}

// mixesDigits reports whether w has a long run without punctuation in which
// digits and letters take turns, as they do in base32 and base36.
func mixesDigits(w string) bool {
	for from := 0; from < len(w); {
		to, turns := from, 0
		for to < len(w) && isAlnum(w[to]) {
			if to > from && isDigit(w[to]) != isDigit(w[to-1]) {
				turns++
			}
			to++
		}
		if n := to - from; n >= leastPlain && turns*4 >= n && !isHex(w[from:to]) {
			return true
		}
		from = to + 1
	}
	return false
}

// isHex reports whether w is hexadecimal, with or without 0x in front and the
// dashes of a UUID.
func isHex(w string) bool {
	w = strings.TrimPrefix(w, "0x")
	for i := range len(w) {
		if c := w[i] | 0x20; !isDigit(w[i]) && (c < 'a' || c > 'f') && w[i] != '-' && w[i] != '_' {
			return false
		}
	}
	return true
}

// isPublic knows random strings that are published: digests and public SSH keys.
func isPublic(w string) bool {
	for _, p := range [...]string{"sha1-", "sha256-", "sha384-", "sha512-", "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh"} {
		if strings.HasPrefix(w, p) {
			return true
		}
	}
	return false
}

// wordy counts the bytes of s that belong to something that people write: three
// small letters in a row or two after a capital, with that capital; four capitals;
// four digits. Of a random string it is about a third, of a name nearly all.
func wordy(s string) int {
	n := 0
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && kinds[s[j]] == kinds[s[i]] {
			j++
		}
		run := j - i
		if isLower(s[i]) && i > 0 && isUpper(s[i-1]) {
			run++
		}
		if run >= 4 && isAlnum(s[i]) || run == 3 && isLower(s[i]) {
			n += run
		}
		i = j
	}
	return n
}
