package secret

import (
	"slices"
	"strings"
)

// A prefix begins the tokens of one issuer.
type prefix struct {
	text  string
	least int  // how many characters must follow
	plain bool // only letters and digits follow; otherwise '-', '_' and '.' as well
}

// prefixes is sorted by text, so that one byte finds where to look. Lengths are
// well below what the issuers document, since a secret cut short is one too; they
// keep out words that merely begin alike, such as sk-SK or npm_config.
var prefixes = [...]prefix{
	{"AGE-SECRET-KEY-", 20, true},
	{"AIza", 30, false}, // Google
	{"AKIA", 12, true},  // Amazon, as are ASIA
	{"ASIA", 12, true},
	{"ATATT3", 20, false}, // Atlassian
	{"ATBB", 24, true},
	{"BBDC-", 20, false},
	{"CFPAT-", 20, false},
	{"EAAC", 30, true},
	{"GOCSPX-", 6, false},
	{"NRAK-", 16, true},
	{"PMAK-", 20, false},
	{"SG.", 30, false}, // SendGrid
	{"cio", 30, true},  // crates.io
	{"dckr_pat_", 6, false},
	{"doo_v1_", 6, true}, // DigitalOcean
	{"dop_v1_", 6, true},
	{"dp.pt.", 20, true},
	{"eyJ", 16, false}, // JSON in base64: a JSON web token
	{"figd_", 20, false},
	{"gho_", 6, true}, // GitHub
	{"ghp_", 6, true},
	{"ghr_", 6, true},
	{"ghs_", 6, true},
	{"ghu_", 6, true},
	{"github_pat_", 6, false},
	{"glc_", 20, false},
	{"glcbt-", 6, false}, // GitLab
	{"gldt-", 6, false},
	{"glft-", 6, false},
	{"glpat-", 6, false},
	{"glptt-", 6, false},
	{"glrt-", 6, false},
	{"glsa_", 20, false},
	{"glsoat-", 6, false},
	{"gsk_", 20, true},
	{"hf_", 20, true}, // Hugging Face
	{"hvb.", 20, false},
	{"hvs.", 20, false},
	{"lin_api_", 20, true},
	{"npm_", 20, true},
	{"nvapi-", 20, false},
	{"ops_eyJ", 20, false},
	{"pplx-", 30, true},
	{"pscale_tkn_", 16, false},
	{"pypi-AgE", 6, false},
	{"r8_", 30, true},
	{"rk_live_", 1, true},
	{"rk_test_", 1, true},
	{"rubygems_", 30, true},
	{"sbp_", 30, true},
	{"shpat_", 20, true},
	{"shpca_", 20, true},
	{"shppa_", 20, true},
	{"shpss_", 20, true},
	{"sk-", 16, false},
	{"sk_live_", 1, true},
	{"sk_test_", 1, true},
	{"sntrys_", 20, false},
	{"sntryu_", 20, false},
	{"sqp_", 30, true},
	{"tskey-", 16, false},
	{"whsec_", 6, false},
	{"xapp-", 8, false}, // Slack
	{"xoxa-", 6, false},
	{"xoxb-", 6, false},
	{"xoxc-", 6, false},
	{"xoxd-", 6, false},
	{"xoxe-", 6, false},
	{"xoxp-", 6, false},
	{"xoxr-", 6, false},
	{"xoxs-", 6, false},
	{"ya29.", 20, false},
}

// issued reports whether s, which begins a word, begins with a token that its
// issuer marked.
func issued(s string) bool {
	if len(s) < 4 || !begins(s[0], s[1]) {
		return false
	}
	i, _ := slices.BinarySearchFunc(prefixes[:], s[0], func(p prefix, c byte) int { return int(p.text[0]) - int(c) })
	for ; i < len(prefixes) && prefixes[i].text[0] == s[0]; i++ {
		if p := &prefixes[i]; strings.HasPrefix(s, p.text) && p.follows(s[len(p.text):]) {
			return true
		}
	}
	return false
}

// begins reports whether some prefix begins with these two bytes. It is asked of
// every word of every value, and nearly always says no.
func begins(a, b byte) bool {
	switch a {
	case 'A':
		return b == 'G' || b == 'I' || b == 'K' || b == 'S' || b == 'T'
	case 'B':
		return b == 'B'
	case 'C':
		return b == 'F'
	case 'E':
		return b == 'A'
	case 'G':
		return b == 'O'
	case 'N':
		return b == 'R'
	case 'P':
		return b == 'M'
	case 'S':
		return b == 'G'
	case 'c':
		return b == 'i'
	case 'd':
		return b == 'c' || b == 'o' || b == 'p'
	case 'e':
		return b == 'y'
	case 'f':
		return b == 'i'
	case 'g':
		return b == 'h' || b == 'i' || b == 'l' || b == 's'
	case 'h':
		return b == 'f' || b == 'v'
	case 'l':
		return b == 'i'
	case 'n':
		return b == 'p' || b == 'v'
	case 'o':
		return b == 'p'
	case 'p':
		return b == 'p' || b == 's' || b == 'y'
	case 'r':
		return b == '8' || b == 'k' || b == 'u'
	case 's':
		return b == 'b' || b == 'h' || b == 'k' || b == 'n' || b == 'q'
	case 't':
		return b == 's'
	case 'w':
		return b == 'h'
	case 'x':
		return b == 'a' || b == 'o'
	case 'y':
		return b == 'a'
	}
	return false
}

// follows reports whether rest looks like the body of a token: long enough, and
// not made of words, as in sk-learn-contrib-something.
func (p *prefix) follows(rest string) bool {
	rest = rest[:min(len(rest), window)]
	n := 0
	for n < len(rest) && (isAlnum(rest[n]) || !p.plain && strings.IndexByte("-_.", rest[n]) >= 0) {
		n++
	}
	return n >= p.least && (p.least == 1 || hasDigit(rest[:n]) || wordy(rest[:n])*2 < n)
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}
