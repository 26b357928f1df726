package settings

import (
	"cmp"
	"slices"
	"strings"

	"jail/internal/environ/secret"
)

// A scope is in whose file a key is harmless.
type scope uint8

const (
	everywhere scope = iota
	inProject        // only in a project's own: what it names is not there for others
)

// A row is one key that is known.
type row struct {
	key   string // parts joined by dots; * is a name that the user chose
	kind  kind
	scope scope
	why   string // where the kind does not say it
}

// part cuts the first part off a key.
func part(key string) (first, rest string) {
	first, rest, _ = strings.Cut(key, ".")
	return first, rest
}

// starting returns the rows whose first part is this one. They stand together,
// since tables are sorted by it; letters' case does not count for that.
func starting(rows []row, first string) []row {
	from, _ := slices.BinarySearchFunc(rows, first, func(r row, s string) int { return compareFirst(r.key, s) })
	to := from
	for to < len(rows) && compareFirst(rows[to].key, first) == 0 {
		to++
	}
	return rows[from:to]
}

// find returns the row of a key given in parts, or nil. A row that says the last
// part outright is taken before one that has * there.
func find(rows []row, parts []string, fold bool) (loose *row) {
	some := starting(rows, parts[0])
	for i := range some {
		switch exact, ok := matches(some[i].key, parts, fold); {
		case ok && exact:
			return &some[i]
		case ok && loose == nil:
			loose = &some[i]
		}
	}
	return loose
}

// matches reports whether a row's key is the one given in parts, and whether it
// says the last of them outright.
func matches(key string, parts []string, fold bool) (exact, ok bool) {
	for i, p := range parts {
		var want string
		if want, key = part(key); want == "" {
			return false, false
		}
		if exact = same(want, p, fold); !exact && want != "*" {
			return false, false
		}
		if (key == "") != (i == len(parts)-1) {
			return false, false
		}
	}
	return exact, true
}

// under reports whether a row lies below a table given in parts.
func under(rows []row, parts []string) bool {
	for i := range rows {
		key, ok := rows[i].key, true
		for _, p := range parts {
			var want string
			want, key = part(key)
			if ok = want == "*" || want == p; !ok {
				break
			}
		}
		if ok && key != "" {
			return true
		}
	}
	return false
}

func same(a, b string, fold bool) bool {
	return a == b || fold && len(a) == len(b) && strings.EqualFold(a, b)
}

// compareFirst orders a key by its first part, by ASCII's rules and without regard
// to case.
func compareFirst(key, first string) int {
	for i := range min(len(key), len(first)) {
		x, y := lowerByte(key[i]), lowerByte(first[i])
		switch {
		case x == y:
		case x == '.':
			return -1 // the end of the part
		default:
			return cmp.Compare(x, y)
		}
	}
	if len(key) <= len(first) {
		return cmp.Compare(len(key), len(first))
	}
	if key[len(first)] == '.' {
		return 0
	}
	return 1
}

func lowerByte(c byte) byte {
	if isCapital(c) {
		return c + 'a' - 'A'
	}
	return c
}

// shown names a key for people. Of what the user chose only that is said which
// looks like the name of a key: a token pasted on a line by itself is a key to
// the parser, and a registry's name may hold a user.
func shown(rows []row, parts ...string) string {
	said := make([]string, len(parts))
	for i, p := range parts {
		if said[i] = p; !keyLike(p) && !listed(rows, i, p) {
			said[i] = "*"
		}
	}
	return strings.Join(said, ".")
}

// named names a key that is known for people, as the table spells it.
func named(r *row, parts ...string) string {
	said := strings.Split(r.key, ".")
	for i := range said {
		if said[i] == "*" && keyLike(parts[i]) {
			said[i] = parts[i]
		}
	}
	return strings.Join(said, ".")
}

// listed reports whether a word stands in the table as part i of a key.
func listed(rows []row, i int, word string) bool {
	for _, r := range rows {
		if parts := strings.Split(r.key, "."); i < len(parts) && parts[i] == word {
			return true
		}
	}
	return false
}

// keyLike reports whether a word has the shape of a key: a few words of letters,
// in which a capital begins one.
func keyLike(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for i := range len(s) {
		if !isLetter(s[i]) && s[i] != '-' && s[i] != '_' || i > 0 && isCapital(s[i-1]) && isCapital(s[i]) {
			return false
		}
	}
	_, found := secret.Value(s)
	return !found && !drawn(s)
}

func isLetter(c byte) bool  { c = lowerByte(c); return 'a' <= c && c <= 'z' }
func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool   { return isLetter(c) || isDigit(c) }
