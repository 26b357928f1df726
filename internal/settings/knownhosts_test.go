package settings

import "testing"

func TestKnownHosts(t *testing.T) {
	const (
		key  = "AAAAC3NzaC1lZDI1NTE5AAAAIEbvoaCFBCLfWxnsmJ0ZgILn6UkrWpcsGVMHbqF8TCWd"
		same = "host.test,192.0.2.1 ssh-ed25519 " + key + "\n"
	)
	for in, want := range map[string]string{
		same: same,
		"[host.test]:2222\tssh-ed25519  " + key + " a comment\r\n":   "[host.test]:2222 ssh-ed25519 " + key + "\n",
		"|1|c2FsdA==|aGFzaA== ssh-ed25519 " + key:                    "|1|c2FsdA==|aGFzaA== ssh-ed25519 " + key + "\n",
		"@revoked * ssh-ed25519 " + key + "\n":                       "@revoked * ssh-ed25519 " + key + "\n",
		"# a note\n\n" + same + "token ghp_0123456789\n":             same,
		"host.test ssh-rsa " + key + "\n":                            "", // of another kind than it says
		"host.test ssh-ed25519 c2VudGluZWw=\n":                       "",
		"host.test ssh-ed25519 AAAAC3NzaC1lZDI1NTE5\n":               "",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n": "",
		"host\x1b[2J ssh-ed25519 " + key + "\n":                      "",
		"\x00" + same:                                                "",
		"@revoked":                                                   "",
	} {
		if got := string(KnownHosts([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
