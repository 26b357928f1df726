package secret

// parts are what makes a name secret wherever in it they stand.
var parts = [...]string{
	"PASSPHRASE", "PASSWORD", "PASSWD", "PASSCODE", "SECRET", "CREDENTIAL", "PRIVATE", "TOKEN",
	"APIKEY", "ACCESSKEY", "AUTHKEY", "SIGNINGKEY", "MASTERKEY", "DEPLOYKEY", "SSHKEY",
	"PSWD", "PASSWRD", "MNEMONIC",
}

// words make a name secret where they stand alone: KEY in API_KEY, not in MONKEY.
var words = [...]string{
	"KEY", "KEYS", "PASS", "PW", "PWD", "AUTH", "AUTHORIZATION", "CRED", "CREDS", "BEARER", "JWT",
	"COOKIE", "COOKIES", "SALT", "PEPPER", "PHRASE", "OTP", "TOTP",
}

// endings make a word secret that ends in them: SSHPASS, DBPWD, ROOTPW, APPKEY.
var endings = [...]string{"PASS", "PWD", "PW", "KEY"}

// innocent are words that end so and mean something else.
var innocent = [...]string{
	"BYPASS", "COMPASS", "ENCOMPASS", "OVERPASS", "UNDERPASS", "SURPASS", "TRESPASS",
	"LOWPASS", "HIGHPASS", "BANDPASS", "ALLPASS", "SUBPASS", "MULTIPASS", "ASKPASS", "OLDPWD",
	"MONKEY", "GREASEMONKEY", "SPIDERMONKEY", "SURVEYMONKEY", "DONKEY", "TURKEY", "HOCKEY", "JOCKEY", "WHISKEY",
	"HOTKEY", "SORTKEY", "PRIMARYKEY", "FOREIGNKEY", "PUBKEY", "PUBLICKEY",
}

// tokenizer begins the one family of words that hold a part and mean something
// else: TOKENIZERS_PARALLELISM, tokenizer_class.
const tokenizer = "TOKENIZ"

// Name reports whether a variable or a key of that name holds a secret, and the
// word that says so. Letters' case does not matter; a word ends at anything that
// is no letter or digit, and where a capital follows a small letter.
func Name(name string) (word string, found bool) {
	for from := 0; from < len(name); {
		to := wordEnd(name, from)
		if w, ok := wordOf(name[from:to]); ok {
			return w, true
		}
		from = max(to, from+1)
	}
	return partOf(name) // across our boundaries as well: a part may be written GITHUBtoken
}

// wordEnd returns the end of the word that starts at from.
func wordEnd(s string, from int) int {
	i := from
	for i < len(s) && isAlnum(s[i]) {
		if i > from && isUpper(s[i]) && isLower(s[i-1]) {
			break
		}
		i++
	}
	return i
}

func wordOf(w string) (string, bool) {
	for _, k := range words {
		if equalFold(w, k) {
			return k, true
		}
	}
	for _, k := range endings {
		if n := len(w) - len(k); n > 0 && equalFold(w[n:], k) && !isInnocent(w) {
			return k, true
		}
	}
	return "", false
}

func isInnocent(w string) bool {
	for _, k := range innocent {
		if equalFold(w, k) {
			return true
		}
	}
	return false
}

func partOf(name string) (string, bool) {
	for i := range len(name) {
		c := toUpper(name[i])
		switch c {
		case 'P', 'S', 'C', 'T', 'A', 'M', 'D': // what the parts begin with
		default:
			continue
		}
		for _, p := range parts {
			if p[0] == c && hasFold(name[i:], p) && !hasFold(name[i:], tokenizer) {
				return p, true
			}
		}
	}
	return "", false
}

// hasFold reports whether s begins with upper, whatever the case of s.
func hasFold(s, upper string) bool {
	return len(s) >= len(upper) && equalFold(s[:len(upper)], upper)
}

// equalFold compares s with a text in capitals, by ASCII's rules.
func equalFold(s, upper string) bool {
	if len(s) != len(upper) {
		return false
	}
	for i := range len(s) {
		if toUpper(s[i]) != upper[i] {
			return false
		}
	}
	return true
}
