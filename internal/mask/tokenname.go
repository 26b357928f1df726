package mask

import (
	"strings"

	"jail/internal/environ/secret"
)

// isSecret reports whether a value of a JSON file looks like a secret. By itself
// it must look like a token, a key or a long random string. Where its name says
// that it is one, everything counts but what is plainly something else.
func isSecret(name, value string) bool {
	return looksSecret(value) || promises(name) && !isPlain(value)
}

// looksSecret asks the value alone. Shorter ones look like nothing; a vocabulary
// has a hundred thousand of them.
func looksSecret(value string) bool {
	if len(value) < len("sk_live_x") {
		return false
	}
	_, found := secret.Value(value)
	return found
}

// promises reports whether a name says that its value is a secret. Its last word
// decides: access_token does, token_type and tokenSetOrder do not. Of a language
// model's tokens, such as bos_token, nobody makes a secret.
func promises(name string) bool {
	last := lastWord(name)
	switch strings.ToLower(last) {
	case "token", "tokens":
		return !ofModel(name[:len(name)-len(last)])
	case "key", "keys":
		// A key alone is the name of something as often as not.
		return ofLock(name[:len(name)-len(last)])
	case "secret", "secrets", "password", "passwd", "pwd", "pass", "passphrase", "passcode",
		"credential", "credentials", "auth", "authorization", "bearer", "jwt", "pat", "apikey", "cookie":
		return true
	}
	_, found := secret.Name(last)
	return found && !strings.EqualFold(last, "private")
}

// lastWord returns the last word of a name: of letters and digits, and from the
// last capital on that follows a small letter.
func lastWord(name string) string {
	name = strings.TrimRight(name, "_-. ")
	from := strings.LastIndexAny(name, "_-. /:$") + 1
	for i := len(name) - 1; i > from; i-- {
		if isUpper(name[i]) && !isUpper(name[i-1]) {
			return name[i:]
		}
	}
	return name[from:]
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// ofModel knows what stands before "token" in the settings of language models.
func ofModel(before string) bool {
	switch strings.ToLower(strings.Trim(before, "_-. ")) {
	case "bos", "eos", "unk", "sep", "pad", "cls", "mask", "image", "audio", "video", "boi", "eoi", "boa", "eoa",
		"bot", "eot", "eod", "start", "stop", "end", "prefix", "suffix", "middle", "special", "additional_special",
		"extra_special", "model_specific_special", "added", "fill", "decoder_start", "forced_bos", "forced_eos",
		"vision_start", "vision_end", "vision", "word_delimiter", "replacement", "object", "point_start":
		return true
	}
	return false
}

// ofLock knows what stands before "key" where that opens something.
func ofLock(before string) bool {
	switch strings.ToLower(lastWord(before)) {
	case "api", "app", "access", "secret", "private", "auth", "signing", "encryption", "master", "client",
		"account", "shared", "session", "license", "deploy", "ssh", "server", "service", "storage":
		return true
	}
	return false
}

// isPlain knows values that are no secrets under any name: markup, references,
// colours, sizes, words with spaces, addresses, single signs, and "Bearer".
func isPlain(v string) bool {
	switch {
	case len(v) < 3,
		strings.IndexByte("<[{#(|$%@/", v[0]) >= 0,
		strings.ContainsAny(v, " \n<>{}|"),
		strings.Contains(v, "://"):
		return true
	}
	switch strings.ToLower(v) {
	case "true", "false", "null", "none", "auto", "inherit", "default", "bearer", "basic", "jwt", "string", "color",
		"colour", "dimension", "number", "object", "enabled", "disabled", "source", "undefined":
		return true
	}
	return isSize(v)
}

// isSize knows 8px, 1.5rem and 400.
func isSize(v string) bool {
	rest := strings.TrimLeft(v, "0123456789.-")
	switch rest {
	case "px", "rem", "em", "pt", "%", "ms", "s", "vh", "vw", "deg", "fr":
		return len(rest) < len(v)
	}
	return false
}
