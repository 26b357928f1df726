package mask

import (
	"bytes"
	"io"

	"jail/internal/environ/secret"
)

// maxPEM is more than all certificate authorities of the world take.
const maxPEM = 4 << 20

// publicPEM reports whether a file holds nothing but public PEM: certificates,
// public keys, parameters, revocation lists, and the notes that tools write
// between them.
//
// It is stricter than encoding/pem, which skips what it cannot read: here every
// line must belong to a public block or be a note that looks like no secret.
func publicPEM(f io.ReaderAt, size int64) (why string, open bool) {
	data, ok := readAll(f, size, maxPEM)
	if !ok || !publicLines(data) {
		return "", false
	}
	return whyPublicPEM, true
}

var (
	pemBegin = []byte("-----BEGIN ")
	pemEnd   = []byte("-----END ")
	pemDash  = []byte("-----")
)

func publicLines(data []byte) bool {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	blocks := 0
	var label []byte // of the block that is open
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimRight(line, " \t\r")
		switch {
		case label != nil && bytes.HasPrefix(line, pemEnd):
			if !bytes.Equal(labelOf(line, pemEnd), label) {
				return false
			}
			label = nil
			blocks++
		case label != nil:
			if !isBase64(line) {
				return false // headers, too: they belong to private keys
			}
		case bytes.HasPrefix(line, pemBegin):
			if label = labelOf(line, pemBegin); label == nil || !secret.PublicPEM(string(label)) {
				return false
			}
		case !isNote(line):
			return false
		}
	}
	return label == nil && blocks > 0
}

// labelOf returns what stands between begin and the dashes that end the line.
func labelOf(line, begin []byte) []byte {
	label, found := bytes.CutSuffix(line[len(begin):], pemDash)
	if !found || len(label) == 0 {
		return nil
	}
	return label
}

func isBase64(line []byte) bool {
	for _, c := range line {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '=') {
			return false
		}
	}
	return true
}

// isNote reports whether a line between blocks looks like no secret: neither by
// its words, as in "Key Password: x", nor by its value.
func isNote(line []byte) bool {
	if bytes.Contains(line, pemDash) || bytes.IndexByte(line, 0) >= 0 {
		return false
	}
	if len(line) == 0 {
		return true
	}
	for _, w := range [...]string{"passw", "passphrase", "secret", "priv:"} { // priv: is openssl's
		if bytes.Contains(bytes.ToLower(line), []byte(w)) {
			return false
		}
	}
	if name, _, found := bytes.Cut(line, []byte(":")); found {
		if _, ok := secret.Name(string(name)); ok && !publicKeyWords(name) {
			return false
		}
	}
	_, found := secret.Value(string(line))
	return !found
}

// publicKeyWords knows what openssl prints about public keys: "RSA Public-Key:",
// "Public Key Algorithm:", "X509v3 Subject Key Identifier:", "X509v3 Key Usage:", "localKeyID:".
func publicKeyWords(name []byte) bool {
	if bytes.HasSuffix(name, []byte("X509v3 Private Key Usage Period")) {
		return true
	}
	for _, w := range [...]string{"Public Key", "Public-Key", "Key Identifier", "Key Usage", "localKeyID"} {
		if bytes.Contains(name, []byte(w)) && !bytes.Contains(bytes.ToLower(name), []byte("private")) {
			return true
		}
	}
	return false
}
