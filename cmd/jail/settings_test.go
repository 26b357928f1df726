package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// gathered looks at the settings of a made-up home and project.
func gathered(t *testing.T, env []string, files map[string]string) *gatherer {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, root := filepath.Join(dir, "home"), filepath.Join(dir, "home/p")
	for path, text := range files {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range env {
		env[i] = strings.ReplaceAll(env[i], "DIR", dir)
	}
	c := &caller{env: append(env, "HOME="+home), home: home, homes: []string{home}, physical: root}
	g := &gatherer{caller: c, root: plan.Root{Path: root}, policy: plan.Policy{Mode: plan.Normal}}
	if err := g.settings(); err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *gatherer) copyOf(name string) *plan.Copy {
	for i, c := range g.in.Facts.Settings {
		if strings.HasSuffix(c.Destination, "/"+name) {
			return &g.in.Facts.Settings[i]
		}
	}
	return nil
}

func TestSettingsAreCopies(t *testing.T) {
	g := gathered(t, nil, map[string]string{
		"home/.npmrc":             "registry=https://npm.example.test/\n//npm.example.test/:_authToken=SENTINEL\n",
		"home/.gitconfig":         "[user]\n\tname = A\n[url \"https://a:SENTINEL@example.test/\"]\n\tinsteadOf = x:\n",
		"home/.cargo/config.toml": "[build]\njobs = 3\n[registries.x]\ntoken = \"SENTINEL\"\n",
	})
	for name, want := range map[string]string{".npmrc": "https://npm.example.test/", ".gitconfig": "A", "config.toml": "3"} {
		c := g.copyOf(name)
		if c == nil || !bytes.Contains(c.Data, []byte(want)) || len(c.Left) == 0 {
			t.Errorf("%s: %+v", name, c)
			continue
		}
		if bytes.Contains(c.Data, []byte("SENTINEL")) || strings.Contains(strings.Join(c.Left, " "), "SENTINEL") {
			t.Errorf("%s shows the token: %+v", name, c)
		}
	}
}

// A link in the home may lead to another place of it, and to no other.
func TestSettingsStayInTheHome(t *testing.T) {
	g := gathered(t, nil, map[string]string{"home/dot/npmrc": "fund=false\n", "outside": "fund=false\n", "home2/npmrc": "fund=false\n"})
	home := g.home
	if err := os.Symlink(filepath.Dir(home), filepath.Join(home, "up")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		target string
		shown  bool
	}{{"dot/npmrc", true}, {filepath.Join(home, "dot/npmrc"), true}, {"../home/dot/npmrc", true}, {"up/home/dot/npmrc", true},
		{"../outside", false}, {"up/outside", false}, {filepath.Join(home, "../home2/npmrc"), false}, {"/proc/self/root/" + home + "/dot/npmrc", true}, {"/proc/self/cwd/nothing", false}, {filepath.Join(filepath.Dir(home), "outside"), false}} {
		link := filepath.Join(home, ".npmrc")
		os.Remove(link)
		if err := os.Symlink(c.target, link); err != nil {
			t.Fatal(err)
		}
		g.in.Facts.Settings = nil
		if err := g.settings(); err != nil {
			t.Fatal(err)
		}
		if got := g.copyOf(".npmrc") != nil; got != c.shown {
			t.Errorf("%s: shown %v", c.target, got)
		}
	}
}

// The project's own file stays as it is unless it holds a credential itself; then
// its copy covers that very file.
func TestSettingsOfTheProject(t *testing.T) {
	for text, covered := range map[string]bool{
		"registry=https://npm.example.test/\n":                    false,
		"//npm.example.test/:_authToken=${NPM_TOKEN}\n":           false,
		"//npm.example.test/:_authToken=SENTINEL0123456789\n":     true,
		"fund=false\n; _authToken=npm_SENTINEL0123456789abcdef\n": true,
	} {
		g := gathered(t, nil, map[string]string{"home/p/.npmrc": text})
		c := g.copyOf("p/.npmrc")
		if (c != nil) != covered {
			t.Errorf("%q: covered %v", text, c != nil)
		}
		if c != nil && (c.ID.IsZero() || bytes.Contains(c.Data, []byte("SENTINEL"))) {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

func TestCertificatesArePublic(t *testing.T) {
	const cert = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
	const key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
	for text, shown := range map[string]bool{
		cert: true, "# a comment\n" + cert + cert: true, cert + key: false, key: false, "": false, "no PEM": false,
		cert + "-----BEGIN PRIVATE KEY-----\nhalf": false,
	} {
		g := gathered(t, []string{"NODE_EXTRA_CA_CERTS=DIR/ca.pem"}, map[string]string{"ca.pem": text})
		if got := len(g.in.Facts.Maps) == 1; got != shown {
			t.Errorf("%q: shown %v", text, got)
		}
	}
}

// What the settings name from the home is theirs too.
func TestCertificatesOfSettings(t *testing.T) {
	for _, path := range []string{"~/certs/ca.pem", "DIR/home/certs/ca.pem"} {
		const cert = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		ca := filepath.Join(dir, "home/certs/ca.pem")
		if err := os.MkdirAll(filepath.Dir(ca), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(ca, []byte(cert), 0o600); err != nil {
			t.Fatal(err)
		}
		home := filepath.Join(dir, "home")
		text := "cafile=" + strings.ReplaceAll(path, "DIR", dir) + "\n"
		if err := os.WriteFile(filepath.Join(home, ".npmrc"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := &caller{env: []string{"HOME=" + home}, home: home, homes: []string{home}, physical: dir}
		g := &gatherer{caller: c, root: plan.Root{Path: filepath.Join(home, "p")}, policy: plan.Policy{Mode: plan.Normal}}
		if err := g.settings(); err != nil {
			t.Fatal(err)
		}
		if maps := g.in.Facts.Maps; len(maps) != 1 || maps[0].Destination != ca {
			t.Errorf("%s: %+v", path, maps)
		}
	}
}
