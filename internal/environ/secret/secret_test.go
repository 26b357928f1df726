package secret

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"jail/internal/cputime"
)

func TestName(t *testing.T) {
	secret := []string{
		"GITHUB_TOKEN", "NPM_TOKEN", "githubtoken", "npm_config_//registry.example/:_authToken", "authToken",
		"STRIPE_SECRET_KEY", "AWS_SECRET_ACCESS_KEY", "CLIENTSECRET", "DB_PASSWORD", "PGPASSWORD", "MYSQL_PWD",
		"DB_PASS", "SMTP_PW", "BASIC_AUTH", "npm_config__auth", "API_KEY", "apiKey", "OPENAI_APIKEY", "KEY",
		"my-key", "PRIVATE_REPO", "GPG_PASSPHRASE", "KEYS", "CREDENTIALS", "cred", "JWT", "SSH_KEY_2", "x.key.y",
		"TOKENS", "tokenSecretizer", "HF_TOKEN", "DOCKER_AUTH_CONFIG", "privateKey", "RAILS_MASTER_KEY",
		"SSHPASS", "DBPASS", "dbpwd", "ROOTPW", "AUTHORIZATION",
		"COOKIE", "GITLAB_COOKIES", "sessionCookie", "HASH_SALT", "PASSWORDLESS_PEPPER",
		"APPKEY", "licensekey", "GPGKEY", "DB_PSWD", "PASSWRD", "MNEMONIC", "WALLET_SEED_PHRASE", "npm_config_otp", "VPN_TOTP",
	}
	for _, n := range secret {
		if _, ok := Name(n); !ok {
			t.Errorf("Name(%q) says harmless", n)
		}
	}
	plain := []string{
		"", "PATH", "OLDPWD", "GIT_AUTHOR_NAME", "AUTHOR", "MONKEY", "KEYBOARD", "KEYMAP", "COMPASS_URL", "BYPASS",
		"TOKENIZERS_PARALLELISM", "tokenizer_class", "GIT_ASKPASS", "PASSENGER", "HOTKEY", "PWDX", "keyring",
		"PYTHON_KEYRING_BACKEND", "MY_FLAG", "XAUTHORITY", "日本", "\xff\xfe", "_", "__", "authority",
		"COOKIECUTTER_CONFIG", "BASALT", "SALTSTACK", "PEPPERONI", "TURKEY", "SPIDERMONKEY_DIR", "SORTKEY", "PUBKEY", "PARAPHRASE", "RANDOM_SEED", "ROTP",
	}
	for _, n := range plain {
		if w, ok := Name(n); ok {
			t.Errorf("Name(%q) says %s", n, w)
		}
	}
}

// issuedBy makes a token of the given prefix that nobody issued.
func issuedBy(prefix string) string { return prefix + "q7Zk2Lw9" + "Xr4Tn8Vb" + "3Mc6Hd1Js5Fg0Py2Wa" }

func TestValue(t *testing.T) {
	secret := []string{
		"postgres://user:pw@host/db", "https://user:pw@proxy:3128", "http://u:p@127.0.0.1", "redis://:pw@localhost:6379/0",
		"https://x9f8@git.example/r.git", "postgres://u:p/w@h/d", "a=b,https://u:p@h", "ssh://git:pw@host/r",
		"mongodb+srv://u:p%40@c.example/?x=1", "amqp://guest:guest@mq", "postgres://admin@db/x",
		"-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----", "-----BEGIN OPENSSH PRIVATE KEY-----\\nb3Bl",
		"-----BEGIN CERTIFICATE-----\nM\n-----END CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----\n",
		"sk_live_x", "AKIAIOSFODNN7EXAMPLE", "Bearer abcdef123456", "Authorization: Basic dXNlcjpwYXNz",
		"Server=db;User Id=sa;Password=hunter2;", "-Djavax.net.ssl.keyStorePassword=changeit -Xmx1g",
		"https://h.example/x?access_token=abcdef123", "https://a.example/c?sv=2020&sig=aB3dE5fG7hJ9kL1m",
		`{"type":"service_account","client_secret":"abcd"}`, `{"auths":{"r":{"auth": "dXNlcjpwdw=="}}}`,
		"https://hooks.slack.com/services/T0/B0/x", "https://discord.com/api/webhooks/1/x",
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
		"wJ4lrXUtnFe9I/K7mD3Ng/bPxRfiCY2q8Lz5Kv0T", "k3j9x0q2m5v8z1w4r7t6y0p3n2b5h8g1", "Zm9vYmFyOmh1bnRlcjJodW50ZXIyMTIz",
		"http.extraheader=AUTHORIZATION: basic eDp5enp5enp5eg==", "Cookie: sid=abcd1234", "Authorization: token 9f86d081884c7d65", "Authorization: ApiKey abcd1234", "password: hunter", "password: hunter2 # old",
		"bob:hunter2@tcp(127.0.0.1:3306)/db", "a\npassword: hunter\nb: c", "-H X-Api-Key: abcd1234 -v", "x:" + issuedBy("ghp_"), "(" + issuedBy("glpat-") + ")",
	}
	for _, v := range secret {
		if _, ok := Value(v); !ok {
			t.Errorf("Value(%q) says harmless", v)
		}
	}
	plain := []string{
		"X509v3 Basic Constraints: critical", "Basic understanding.", "see: https://h.example/key: none",
		"", "1", "true", "C.UTF-8", "sk_SK.UTF-8", "sk-SK", "xterm-256color", "/usr/local/bin:/usr/bin:/bin",
		"/nix/store/0c0xkx2bh1g0mf0aq3ws9x7v5i6d8h2j-python3-3.11.6/bin", "https://registry.example/@babel/core",
		"https://example.com:8080/a@b", "ssh://git@github.com/a/b", "git+ssh://git@github.com/a/b.git", "git@github.com:a/b.git",
		"3f785a9e5f4c2b1d0e8a7c6b5d4e3f2a1b0c9d8e", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"8D5E2B6C-7F0A-4C1D-9E3B-2A1F0C9D8E7B", "w0t0p0:8D5E2B6C-7F0A-4C1D-9E3B-2A1F0C9D8E7B", "--max-old-space-size=4096",
		"npm/10.2.4 node/v20.11.0 linux x64 workspaces/false", "com.example.MyVeryLongClassName2Impl3Factory",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "sha512-9Zk2Lw9Xr4Tn8Vb3Mc6Hd1Js5Fg0Py2WaQ==",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0Xr4Tn8Vb3Mc6Hd1Js5Fg0Py2WaQ7Zk2Lw9 me@host",
		"ssh -i ~/.ssh/id -o PasswordAuthentication=no -o IdentitiesOnly=yes", "-O2 -DNDEBUG -DKEY=1", "$NPM_TOKEN",
		"//registry.example/:_authToken=${NPM_TOKEN}", "unix:path=/run/user/1000/bus", "/org/freedesktop/DisplayManager/Session1",
		"local/host:@/tmp/.ICE-unix/1234,unix/host:/tmp/.ICE-unix/1234", "() { echo \"$1\"; }", "a/b/c:d", "日本語", "\xff\xfe",
		"01ARZ3NDEKTSV4RRFFQ69G5FAV", "2024-01-01T00:00:00Z", "0x1F5:0x0:0x0", "linux-x86_64-gnu-release-2024", "npm_config_registry",
		strings.Repeat("a", 120000), "sk-learn-contrib-some-package-name", "x86_64-unknown-linux-gnu", "iPhone15ProMax2023Edition",
		"abcdefghijklmnopqrstuvwxyz0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "[::1]:8080",
		"http://[::1]:8080/x@y", "key=a", "\"", "=", ":", "://", "Bearer token",
		"fix: token: parser handles it", "auth: rework login flow", "Authorization: see the documentation", "auth: handled, as before", "u:$PW@tcp(h)/db",
	}
	for _, v := range plain {
		if why, ok := Value(v); ok {
			t.Errorf("Value(%.80q) says %s", v, why)
		}
	}
}

func TestPrefixesSortedAndFound(t *testing.T) {
	if !slices.IsSortedFunc(prefixes[:], func(a, b prefix) int { return strings.Compare(a.text, b.text) }) {
		t.Error("prefixes are not sorted, so some are never found")
	}
	for _, p := range parts {
		if !strings.Contains("PSCTAMD", p[:1]) {
			t.Errorf("partOf never looks for %s", p)
		}
	}
	for _, p := range prefixes {
		if !begins(p.text[0], p.text[1]) {
			t.Errorf("begins does not know %s", p.text)
		}
		v := p.text + strings.Repeat("Q7zk2Lw9", 6)
		if looks, ok := Value("x=" + v + "."); !ok {
			t.Errorf("a token of %s passes", p.text)
		} else if looks != "a token" && p.text != "eyJ" {
			t.Logf("%s: %s", p.text, looks)
		}
	}
}

// TestRandomIsFound draws secrets as people do and expects nearly all to be seen.
func TestRandomIsFound(t *testing.T) {
	const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	r := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{24, 32, 40, 64} {
		missed := 0
		for range 2000 {
			b := make([]byte, length)
			for i := range b {
				b[i] = base62[r.IntN(len(base62))]
			}
			if _, ok := Value(string(b)); !ok {
				missed++
			}
		}
		if missed > 200 { // ten in a hundred
			t.Errorf("of 2000 random strings of %d characters %d pass", length, missed)
		}
		t.Logf("length %d: %d of 2000 missed", length, missed)
	}
}

// TestAnswersQuoteNothing holds that what is said of a value is not the value.
func TestAnswersQuoteNothing(t *testing.T) {
	for _, v := range []string{"https://user:hunter2@h", issuedBy("ghp_"), "Password=hunter2"} {
		why, ok := Value(v)
		if !ok || strings.Contains(why, "hunter2") || strings.Contains(why, "q7Zk") {
			t.Errorf("Value answers %q", why)
		}
	}
}

// TestLongValues holds that no value takes more than its length: each of these
// makes every place in it look like a beginning.
func TestLongValues(t *testing.T) {
	for _, s := range []string{"sk-", "key=", "a=", "://", "\": \"", "a.", "=\"", " basic ", "x@", "-----", "a/", "Key", "aB3"} {
		start := cputime.Spent()
		Value(strings.Repeat(s, 1<<18/len(s)))
		Name(strings.Repeat(s, 1<<18/len(s)))
		if d := cputime.Spent() - start; d > 5*time.Second {
			t.Errorf("a long row of %q takes %v", s, d)
		}
	}
}

func FuzzValue(f *testing.F) {
	f.Add("https://u:p@h")
	f.Add("\"a\" : \"b\"")
	f.Fuzz(func(t *testing.T, s string) {
		Name(s)
		if why, ok := Value(s); ok != (why != "") {
			t.Errorf("Value(%q) = %q, %v", s, why, ok)
		}
	})
}

func BenchmarkValue(b *testing.B) {
	v := "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	for b.Loop() {
		Value(v)
	}
}

func BenchmarkName(b *testing.B) {
	for b.Loop() {
		Name("npm_config_registry")
	}
}
