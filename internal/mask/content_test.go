package mask

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
)

func block(label string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
}

// certificate makes one that holds for an hour.
func certificate(t testing.TB) string {
	t.Helper()
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "x"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, c, c, pub, key)
	if err != nil {
		t.Fatal(err)
	}
	return block("CERTIFICATE", der)
}

func keys(t testing.TB) (private, pkcs8, public string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sec1, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	p8, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	pub, err := x509.MarshalPKIXPublicKey(&k.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return block("EC PRIVATE KEY", sec1), block("PRIVATE KEY", p8), block("PUBLIC KEY", pub)
}

func publicText(s string) bool {
	_, open := publicPEM(strings.NewReader(s), int64(len(s)))
	return open
}

func TestPEM(t *testing.T) {
	cert := certificate(t)
	private, pkcs8, public := keys(t)
	for name, s := range map[string]string{
		"a certificate": cert, "two": cert + cert, "a public key": public, "a chain with notes": "# Issuer: CN=x\n# Serial: 1\n" + cert + "\n\nsubject=/CN=x\n" + cert,
		"parameters": block("DH PARAMETERS", []byte{1}) + block("EC PARAMETERS", []byte{2}), "revocations": block("X509 CRL", []byte("abc")),
		"openssl's text":   "Certificate:\n    Data:\n        Serial Number: 1 (0x1)\n        Subject Public Key Info:\n            Public Key Algorithm: rsaEncryption\n                RSA Public-Key: (2048 bit)\n                    00:c0:14:ab\n        X509v3 Subject Key Identifier: \n                AB:CD\n            X509v3 Basic Constraints: critical\n                CA:TRUE\n            X509v3 Key Usage: critical\n            X509v3 Private Key Usage Period: \n                Not Before: Jan  1 00:00:00 2020 GMT\n" + cert,
		"carriage returns": strings.ReplaceAll(cert, "\n", "\r\n"), "no newline at the end": strings.TrimSuffix(cert, "\n"), "a byte order mark": "\ufeff" + cert,
		"from pkcs12": "Bag Attributes\n    localKeyID: 54 69 6D\nsubject=CN = x\n" + cert,
	} {
		if !publicText(s) {
			t.Errorf("%s is hidden", name)
		}
	}
	body := strings.Split(cert, "\n")[1]
	for name, s := range map[string]string{
		"nothing": "", "a private key": private, "pkcs8": pkcs8, "a certificate and its key": cert + private, "the key first": private + cert,
		"an encrypted key": "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMIIB\n-----END RSA PRIVATE KEY-----\n",
		"an ssh key":       "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n", "text": "hello\n", "only notes": "# nothing\n",
		"a request": block("CERTIFICATE REQUEST", []byte{1}), "an unknown label": block("SOMETHING", []byte{1}), "pkcs7": block("PKCS7", []byte{1}),
		"an open block": "-----BEGIN CERTIFICATE-----\n" + body + "\n", "another end": "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END PUBLIC KEY-----\n",
		"a key in a block": "-----BEGIN CERTIFICATE-----\n" + private + "-----END CERTIFICATE-----\n", "a broken key beside": cert + "-----BEGIN PRIVATE KEY----\nMC4=\n",
		"a key without its beginning": cert + strings.SplitN(private, "\n", 2)[1], "a password": "Key Password: hunter2\n" + cert, "a word of one": cert + "passphrase hunter2\n",
		"a random line": cert + "q7Zk2Lw9Xr4Tn8Vb3Mc6Hd1Js5Fg0Py2WaQ7Zk2Lw9\n", "binary": "\x30\x82\x01\x00\x00", "a header": "-----BEGIN CERTIFICATE-----\nX: y\n\n" + body + "\n-----END CERTIFICATE-----\n",
		"on one line": strings.ReplaceAll(cert, "\n", " "), "a session": "    Master-Key: 0123456789ABCDEF\n" + cert, "utf16": "\xff\xfe-\x00-\x00", "a zero": cert + "\x00\n",
		"openssl's text of a key": cert + "Private-Key: (256 bit)\npriv:\n    00:c0:14\n", "without its head": cert + "priv:\n    00:c0:14\npub:\n    04:ab\n",
	} {
		if publicText(s) {
			t.Errorf("%s stays open", name)
		}
	}
	big := strings.Repeat(cert, maxPEM/len(cert)+1)
	if publicText(big) {
		t.Error("a file beyond the limit stays open")
	}
}

// FuzzPEM holds that what we leave open holds nothing private for encoding/pem.
func FuzzPEM(f *testing.F) {
	cert := certificate(f)
	private, _, public := keys(f)
	for _, s := range []string{cert, private, public, cert + private, "# x\n" + cert, "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !publicText(s) {
			return
		}
		for rest := []byte(s); ; {
			var b *pem.Block
			if b, rest = pem.Decode(rest); b == nil {
				break
			}
			if strings.Contains(b.Type, "PRIVATE") {
				t.Errorf("%q stays open and holds a %s", s, b.Type)
			}
		}
	})
}

func harmlessText(s string) bool {
	_, open := harmlessTokens(strings.NewReader(s), int64(len(s)))
	return open
}

func TestTokens(t *testing.T) {
	for name, s := range map[string]string{
		"a tokenizer":                 `{"version":"1.0","added_tokens":[{"id":0,"content":"<unk>","special":true}],"model":{"type":"BPE","unk_token":"<unk>","vocab":{"<unk>":0,"the":1,"Ġpassword":2,"UITableViewController":3},"merges":["t h","th e"]}}`,
		"a map of special tokens":     `{"bos_token":"<s>","eos_token":{"content":"</s>","lstrip":false},"unk_token":"unk","pad_token":"[PAD]","mask_token":"extra_id_0","additional_special_tokens":["<|im_start|>","im_end"]}`,
		"a tokenizer's settings":      `{"tokenizer_class":"PreTrainedTokenizerFast","model_max_length":1000000000000000019884624838656,"chat_template":"{% for m in messages %}{{ m['content'] }}{% endfor %}","clean_up_tokenization_spaces":false,"x":NaN}`,
		"added tokens":                `{"<|im_end|>":151645,"<|im_start|>":151644}`,
		"design tokens":               `{"color":{"primary":{"value":"#3b82f6","type":"color"},"alias":{"$value":"{color.base.blue.500}"}},"space":{"s":{"value":"8px"}},"shadow":{"value":"0 1px 2px rgba(0,0,0,.5)"},"tokenSetOrder":["global","light"],"selectedTokenSets":{"global":"enabled"}}`,
		"a list of coins":             `{"name":"List","tokens":[{"chainId":1,"address":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48","symbol":"USDC","logoURI":"https://x.example/usdc.png"}]}`,
		"a contract":                  `{"contractName":"MyToken","abi":[{"type":"function","name":"transfer"}],"bytecode":"0x` + strings.Repeat("60806040", 500) + `"}`,
		"settings of a program":       `{"token_type":"Bearer","token_uri":"https://oauth2.example/token","maxTokens":4096,"tokenLifetime":"1h"}`,
		"nothing":                     `{}`,
		"an empty list":               ` [ ] `,
		"empty values":                `{"token":"","access_token":null,"password":false}`,
		"a byte order mark":           "\ufeff{\"a\":1}",
		"escapes":                     `{"a":"line\nbreak \"quoted\" \u00e9 \\ \/"}`,
		"a deep one":                  strings.Repeat("[", 100) + strings.Repeat("]", 100),
		"integrity":                   `{"integrity":"sha512-9Zk2Lw9Xr4Tn8Vb3Mc6Hd1Js5Fg0Py2WaQ==","resolved":"https://r.example/@a/b"}`,
		"a reference":                 `{"token":"${NPM_TOKEN}"}`,
		"a key that is a name":        `{"key":"primary","keys":["a","b"]}`,
		"a large tokenizer":           large(t, ""),
		"a large tokenizer, one line": strings.ReplaceAll(large(t, ""), "\n", ""),
	} {
		if !harmlessText(s) {
			t.Errorf("%s is hidden: %.200q", name, s)
		}
	}
	for name, s := range map[string]string{
		"no json": "hello", "empty": "", "a comment": "// x\n{}", "an access token": `{"access_token":"SEKRET"}`, "a short token": `{"token":"abc"}`, "one by a camel": `{"accessToken":"abc"}`,
		"a refresh token": `{"type":"authorized_user","client_id":"x","refresh_token":"1//0gabc"}`, "a client's secret": `{"installed":{"client_secret":"x-y-z"}}`, "a value in an object": `{"token":{"value":"s3cr3t"}}`,
		"a list of tokens": `{"tokens":["s3cr3t"]}`, "by its look": `["ghp_q7Zk2Lw9Xr4Tn8Vb"]`, "a bare string": `"ghp_q7Zk2Lw9Xr4Tn8Vb"`, "random": `{"x":"q7Zk2Lw9Xr4Tn8Vb3Mc6Hd1Js5Fg0Py2"}`, "as a name": `{"ghp_q7Zk2Lw9Xr4Tn8Vb":{"user":"me"}}`,
		"a jwt": `{"id":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"}`, "a url": `{"db":"postgres://u:pw@h/d"}`, "an escaped url": `{"db":"https:\/\/u:pw@h\/d"}`, "escaped letters": `{"acc\u0065ss_token":"abc"}`,
		"a private key": `{"private_key":"-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n"}`, "a key of a chain": `{"privateKey":"0x` + strings.Repeat("ab", 32) + `"}`, "an api key": `{"apiKey":"abc"}`, "a password": `{"password":"hunter2"}`,
		"cut off": `{"a":"b"`, "cut off in a string": `{"token":"abc`, "too many ends": `{}}`, "too deep": strings.Repeat("[", 100000), "after an object": `{"a":{"b":1},"token":"abc"}`, "after a list": `{"tokens":[{"a":1},"abc"]}`,
		"a large one": large(t, `"access_token":"abc",`), "at the end of a large one": strings.Replace(large(t, ""), `"end":0`, `"access_token":"abc"`, 1), "a line break in a string": "{\"a\":\"b\nc\"}",
		"a bad escape": `{"a":"\x"}`, "half an escape": `{"a":"\u00`, "two of one": `{"token":"abc","token":""}`,
	} {
		if harmlessText(s) {
			t.Errorf("%s stays open: %.200q", name, s)
		}
	}
}

// large makes a vocabulary longer than what is read of a file.
func large(t *testing.T, first string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("{" + first + "\n")
	for i := range 30000 {
		fmt.Fprintf(&b, "\"word%d\\\",\": %d,\n", i, i)
	}
	b.WriteString("\"end\":0}\n")
	if first == "" && !json.Valid([]byte(b.String())) {
		t.Fatal("the large file is not valid itself")
	}
	if b.Len() < headOfJSON+tailOfJSON {
		t.Fatal("the large file is not large")
	}
	return b.String()
}

// FuzzTokens holds that whatever is acquitted is JSON as far as it was read.
func FuzzTokens(f *testing.F) {
	f.Add([]byte(`{"a":["b",{"c":"d"}]}`))
	f.Add([]byte("\ufeff[1,2e5,-3.5,true,null]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		text := string(b)
		open := harmlessText(text)
		if open && json.Valid(b) && bytes.Contains(b, []byte("-----BEGIN PRIVATE")) {
			t.Errorf("%q stays open", b)
		}
		var v any
		if json.Unmarshal(b, &v) == nil && open && holds(v, "ghp_q7Zk2Lw9Xr4Tn8Vb") {
			t.Errorf("%q stays open", b)
		}
	})
}

// holds reports whether v is or contains the string s.
func holds(v any, s string) bool {
	switch v := v.(type) {
	case string:
		return strings.HasPrefix(v, s)
	case []any:
		for _, e := range v {
			if holds(e, s) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if holds(e, s) {
				return true
			}
		}
	}
	return false
}

func BenchmarkTokenizer(b *testing.B) {
	s := large(new(testing.T), "")
	for b.Loop() {
		harmlessText(s)
	}
}
