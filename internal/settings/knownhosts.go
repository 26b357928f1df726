package settings

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// KnownHosts is the copy of a known_hosts file of ssh's: the lines that name hosts and
// the public key of each, and of those no comments. Whoever uses an agent inside then
// meets no host as if for the first time, which teaches people to type yes.
func KnownHosts(content []byte) []byte {
	text, err := plainText(content)
	if err != nil {
		return nil
	}
	var out []byte
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		n := 3
		if len(words) > 0 && (words[0] == "@cert-authority" || words[0] == "@revoked") {
			n = 4
		}
		if len(words) < n || words[0][0] == '#' || !isPrintable(line, "\t\r\n") || !publicKey(words[n-2], words[n-1]) {
			continue
		}
		out = append(append(out, strings.Join(words[:n], " ")...), '\n')
	}
	return out
}

// publicKey reports whether data is a public key of that kind: it begins with the
// length of the kind's name and the name, as RFC 4253 has it.
func publicKey(kind, data string) bool {
	b, err := base64.StdEncoding.DecodeString(data)
	n := len(kind)
	return err == nil && len(b) > 4+n && binary.BigEndian.Uint32(b) == uint32(n) && string(b[4:4+n]) == kind
}
