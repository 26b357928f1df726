package settings

import (
	"strings"
	"testing"
)

func TestStripRepository(t *testing.T) {
	const tame = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = https://host.test/a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n" +
		"[remote \"ssh\"]\n\turl = git@host.test:a/b.git\n\tpushurl = ssh://git@host.test/a/b\n[branch \"fix/login\"]\n\tremote = origin\n\tmerge = refs/heads/fix/login\n" +
		"[user]\n\temail = ada@host.test\n\tsigningKey = ABCDEF0123456789\n[credential]\n\thelper = store\n\tusername = ada\n[submodule \"lib\"]\n\turl = ../lib.git\n[extensions]\n\tobjectFormat = sha256\n"
	if data, left, err := StripRepository([]byte(tame)); data != nil || left != nil || err != nil {
		t.Errorf("of a tame one: %q %q %v", data, left, err)
	}
	const token = "ghp_1234567890abcdefghijklmnopqrstuvwxYZ"
	for _, c := range []struct{ name, add, keeps, left string }{
		{"a remote", "[remote \"up\"]\n\turl = https://ada:" + token + "@host.test/up.git\n", `url = "https://host.test/up.git"`, "remote.url (user info)"},
		{"a remote, the token as a user", "[remote \"up\"]\n\turl = https://" + token + "@host.test/up.git\n", `url = "https://host.test/up.git"`, "remote.url (user info)"},
		{"a header", "[http \"https://host.test/\"]\n\textraheader = AUTHORIZATION: basic eDp5\n\tsslVerify = true\n", "sslverify", "http.extraheader"},
		{"an address to rewrite to", "[url \"https://x:" + token + "@host.test/\"]\n\tinsteadOf = https://host.test/\n", "[url \"https://host.test/\"]", "url.insteadof (user info)"},
		{"a password", "[sendemail]\n\tsmtpPass = hunter2hunter2\n\tsmtpserver = mail.test\n", "smtpserver", "sendemail.smtppass"},
		{"a helper that says it", "[credential]\n\thelper = \"!f() { echo password=" + token + "; }; f\"\n", "username", "credential.helper"},
		{"a login without a scheme", "[remote \"up\"]\n\tproxy = ada:hunter2@proxy.test:80\n\tprune = true\n", "prune", "remote.proxy"},
		{"a comment", "# " + token + "\n[gc]\n\tauto = 0\n", "auto", ""},
	} {
		data, left, err := StripRepository([]byte(tame + c.add))
		text := string(data)
		if err != nil || strings.Join(left, " ") != c.left || strings.Contains(text, token) || strings.Contains(text, "hunter2") || strings.Contains(text, "eDp5") {
			t.Errorf("%s: left %q, %v\n%s", c.name, left, err, text)
		}
		for _, kept := range []string{c.keeps, `bare = "false"`, `fetch = "+refs/heads/*:refs/remotes/origin/*"`, `[branch "fix/login"]`} {
			if !strings.Contains(text, kept) {
				t.Errorf("%s: %q is gone from\n%s", c.name, kept, text)
			}
		}
	}
	if _, _, err := StripRepository([]byte("[core\n")); err == nil {
		t.Error("a mistake is no error")
	}
}
