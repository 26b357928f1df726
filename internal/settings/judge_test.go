package settings

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		kind kind
		v    string
		want bool
	}{
		{flag, "TRUE", true}, {flag, "no", true}, {flag, "maybe", false},
		{number, "30", true}, {number, "-1", true}, {number, "1.5", true}, {number, "10m", true}, {number, "1e9", false}, {number, ".5", false}, {number, "", false},
		{number, "x", false}, {number, "12345678901234567", false}, {number, "--1", false},
		{word, "ff-only", true}, {word, "^", true}, {word, "", true}, {word, "#ff0000 bold", true}, {word, "a\tb", false}, {word, "$(x)", false}, {word, "Mn4aPZ2sX8QeTb7K", false},
		{word, strings.Repeat("a", 65), false}, {list, strings.Repeat("a,", 100), true}, {list, "é", false},
		{pathname, "/nix/store/0c0pmcmcrm5jv9pcxnkv4qs3d9cygrr9-gcc/bin", true}, {pathname, "https://u:p@h/", false}, {pathname, "a\nb", false},
		{text, "Jané Doe <j@d.test>", true}, {text, "x\x1b[31m", false}, {text, "x\u202ey", false}, {text, "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7", false},
		{text, strings.Repeat("a ", 1025), false},
		{command, "log --format=%h\t%s\n", true}, {command, "curl -u bob:pw x", false}, {command, "curl -ubob:pw x", false}, {command, "curl --user=bob:pw x", false},
		{command, "push -u origin x:y", true}, {command, "diff -U3", true}, {command, "grep -H x", true}, {command, "curl -H 'X: y'", false}, {command, "curl -b a=b", false},
		{command, "x --api-key y", false}, {command, "sshpass -p y ssh x", false}, {command, "log --author=me", true}, {command, "http GET h X-Auth-Token:y z", false},
		{command, "!git log --pretty=format:'%C(yellow)%h %Cblue%>(12)%ad %Cgreen%<(7)%aN%Cred%d %Creset%s'", true},
		{command, "commit --amend --no-edit", true}, {command, "delta --syntax-theme='Monokai Extended'", true}, {command, "x\x00", false},
		{pem, "", true}, {pem, "-----BEGIN CERTIFICATE-----\nMIIabc=\n-----END CERTIFICATE-----\n", true}, {pem, "-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----", false},
		{pem, "-----BEGIN PRIVATE KEY-----\nMIIabc=\n-----END PRIVATE KEY-----", false}, {pem, "-----BEGIN CERTIFICATE-----\nMIIabc=", false},
		{leave, "true", false}, {credential, "", false}, {credential, "${X}", false}, {login, "bob", false},
		{proxy, "", true}, {proxy, "null", true}, {proxy, "h:80", true}, {proxy, "[::1]:80", true}, {proxy, "h/x", false}, {proxy, "a b", false}, {proxy, "h:port", false},
	} {
		var j judge
		if _, _, got := j.value(c.kind, c.v); got != c.want {
			t.Errorf("kind %d: %q stays: %v", c.kind, c.v, got)
		}
	}
}

func TestAddress(t *testing.T) {
	for v, want := range map[string]string{
		"https://h":                          "https://h",
		"https://[::1]/x":                    "https://[::1]/x",
		"https://h:8080/a/b.git":             "https://h:8080/a/b.git",
		"sparse+https://h/i/":                "sparse+https://h/i/",
		"ssh://git@h/x.git":                  "ssh://git@h/x.git",
		"git+ssh://git@h:22/x":               "git+ssh://git@h:22/x",
		"ssh://git:pw@h/x":                   "ssh://h/x",
		"ssh://q7Zk2Lw9Bn4Rt6Yp@h/x":         "ssh://h/x",
		"https://tok@h/":                     "https://h/",
		"https://:pw@h/":                     "https://h/",
		"https://u:p@ss@h/":                  "https://h/",
		"https://u:p/ss@h/x":                 "https://h/x",
		"https://@h/":                        "https://h/",
		"https://h/?q#f":                     "https://h/",
		"https://h?u:p@x":                    "",
		"https://h/@scope/x":                 "https://h/@scope/x",
		"https://h/a%2Fb/":                   "https://h/a%2Fb/",
		"https://h/%zz/":                     "https://h/hidden/",
		"https://h/ghp_q7Zk2Lw9Bn4Rt6Yp/":    "https://h/hidden/",
		"https://h/key=hunter2/":             "https://h/hidden/",
		"https://h/a:b/":                     "https://h/hidden/",
		"file:///srv/x":                      "file:///srv/x",
		"git@h:org/x.git":                    "git@h:org/x.git",
		"/srv/x":                             "/srv/x",
		"gh:":                                "gh:",
		"git://":                             "git://",
		"":                                   "",
		"https://h:99999999/":                "",
		"https://h h/":                       "",
		"https://h\\@x/":                     "",
		"ht tp://h/":                         "",
		"https://u:1/2@h/":                   "",
		"https://h/x@y":                      "",
		"q7Zk2Lw9Bn4Rt6Yp@h:x":               "",
		"u:p@h:x":                            "",
		"https://h/\u202e":                   "",
		"https://xn--\u00e9/":                "",
		"https://h.test/${A}/${B:-hunter2}/": "",
		"${A:-hunter2}":                      "",
		"${A}":                               "${A}",
		"https://${A}:${B}@h/":               "https://h/",
		"https://${A:-u:p@x}/":               "",
	} {
		var j judge
		out, lost, ok := j.address(v)
		if !ok {
			out = ""
		}
		if out != want || ok && lost == "" && out != v && v != "https://@h/" {
			t.Errorf("%q becomes %q (lost %q), not %q", v, out, lost, want)
		}
	}
}

// Random parts of addresses are seen nearly always, and names hardly ever.
func TestDrawn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for alphabet, length := range map[string]int{
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789": 16, "abcdefghijklmnopqrstuvwxyz0123456789": 24, "0123456789abcdef": 32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567": 26,
	} {
		missed := 0
		for range 1000 {
			b := make([]byte, length)
			for i := range b {
				b[i] = alphabet[r.IntN(len(alphabet))]
			}
			if !drawn(string(b)) {
				missed++
			}
		}
		if missed > 200 {
			t.Errorf("of 1000 random strings of %d out of %s %d pass", length, alphabet, missed)
		}
		t.Logf("%s: %d of 1000 pass", alphabet, missed)
	}
	for _, v := range []string{
		"artifactory", "npm-private-local", "MyCompanyNameWithManyWords", "v2Api3", "python3.12-slim", "x86_64-unknown-linux-gnu", "domain-123456789012.d.codeartifact.us-east-1.amazonaws.test",
		"6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c", "registry.mirror.test", "Team2024Frontend", "20240131120000", "repository", "nexus3", "pypi-hosted-2", "d111111abcdef8",
	} {
		if drawn(v) {
			t.Errorf("%q looks drawn", v)
		}
	}
}
