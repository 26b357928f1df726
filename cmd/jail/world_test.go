package main_test

import (
	"hash/crc32"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"jail/internal/textbusy"
)

// systemPath keeps the scripts from finding what a developer has in the home.
const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// A world is what all scripts of one run share.
type world struct {
	stage stage
	dir   string
	known knowledge
}

// setup lays out what each script starts with.
func (w *world) setup(e *testscript.Env) error {
	work := e.WorkDir
	files := map[string]string{
		"home/.ssh/id_ed25519":    secret + " key\n",
		"home/.aws/credentials":   secret + " aws\n",
		"home/.netrc":             secret + " netrc\n",
		"home/.bash_history":      secret + " history\n",
		"other/.ai-jail/keep":     "",
		"other/src/main.go":       secret + " source\n",
		"other/.env":              "TOKEN=" + secret + "\n",
		"outside/notes":           secret + " notes\n",
		"proj/.ai-jail/README":    "the marker\n",
		"proj/.env":               "API_KEY=" + secret + "\n",
		"proj/secrets/prod.json":  secret + " prod\n",
		"proj/certs/server.pem":   privateKey,
		"proj/certs/ca.pem":       publicKey,
		"proj/.env.example":       "API_KEY=\n",
		"proj/sub/dir/.env.local": "API_KEY=" + secret + "\n",
		"proj/sub/dir/tls.key":    secret + " tls\n",
		"proj/src/app.txt":        "honest\n",
	}
	for name, text := range files {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		// A script's own file of that name counts.
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := textbusy.Rewrite(work); err != nil {
		return err
	}
	if err := copyFile(w.stage.probe(), filepath.Join(work, "proj", "probe")); err != nil {
		return err
	}
	e.Cd = filepath.Join(work, "proj")
	e.Values[viewsKey{}] = map[string]view{}
	w.environ(e)
	return nil
}

// privateKey and publicKey are PEM by their form; there is no key in them.
const (
	privateKey = "-----BEGIN PRIVATE KEY-----\nc2VudGluZWwtYmQ0ZTFjN2E=\n-----END PRIVATE KEY-----\n" + secret + "\n"
	publicKey  = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"
)

func (w *world) environ(e *testscript.Env) {
	home := filepath.Join(e.WorkDir, "home")
	for name, value := range map[string]string{
		"HOME": home, "XDG_DATA_HOME": filepath.Join(e.WorkDir, "data"), "XDG_CONFIG_HOME": filepath.Join(e.WorkDir, "config"),
		"PATH": w.stage.bin() + ":" + systemPath, "PROBE": filepath.Join(e.WorkDir, "proj", "probe"), "BIN": w.stage.bin(),
		"TMPDIR": "", "SECRET": secret, "REALHOME": realHome(), "REALPATH": w.stage.bin() + ":" + os.Getenv("PATH"),
		"LC_ALL": "C", "TERM": "dumb", "STRANGER": stranger(e.WorkDir),
	} {
		e.Setenv(name, value)
	}
	for _, v := range passedOn() {
		name, value, _ := strings.Cut(v, "=")
		e.Setenv(name, value)
	}
}

// stranger is a number that no account has, and that no other script on this machine
// uses: jail keeps things for it below /var/tmp. A user namespace may have none above.
func stranger(workDir string) string {
	return strconv.Itoa(20000 + int(crc32.ChecksumIEEE([]byte(workDir))%40000))
}

// realHome is the home that passwd names.
func realHome() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	// Current believes HOME where it can.
	if p, err := user.LookupId(u.Uid); err == nil {
		return p.HomeDir
	}
	return u.HomeDir
}

// passedOn are the variables without which no registry is reached from some
// machines: where it is, who signs its certificate, and what says that this is
// CI.
func passedOn() []string {
	var kept []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch lower := strings.ToLower(name); {
		case name == "CI", strings.HasSuffix(lower, "_proxy"), strings.HasPrefix(lower, "npm_config_"), strings.HasPrefix(name, "PIP_"):
			kept = append(kept, v)
		case name == "NODE_EXTRA_CA_CERTS", name == "SSL_CERT_FILE", name == "SSL_CERT_DIR", name == "REQUESTS_CA_BUNDLE":
			kept = append(kept, v)
		}
	}
	return kept
}
