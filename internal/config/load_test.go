package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// A bench is a home with a project in it, which hold what a test writes.
type bench struct {
	t    *testing.T
	home string
	in   Input
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	b := &bench{t: t, home: home, in: Input{
		UserFile: filepath.Join(home, ".config/jail/config.toml"),
		Homes:    []string{home},
		Cwd:      filepath.Join(home, "proj/sub"),
		UID:      uint32(os.Geteuid()),
		Command:  Command{Preset: "npm", Args: []string{"npm", "run", "dev"}},
		Builtin: []plan.Pattern{
			{Text: ".env", Action: plan.ActMask}, {Text: "secrets/", Action: plan.ActDeny},
			{Text: ".env.example", Action: plan.ActMask, Except: true},
		},
	}}
	b.project("proj")
	return b
}

// project adds a marker below the home, as the nearest so far.
func (b *bench) project(name string) {
	dir := filepath.Join(b.home, name)
	if err := os.MkdirAll(filepath.Join(dir, markerName), 0o755); err != nil {
		b.t.Fatal(err)
	}
	b.in.Projects = append(b.in.Projects, ProjectFile{Dir: dir, Usable: true})
}

func (b *bench) file(i int) string {
	return filepath.Join(b.in.Projects[i].Dir, markerName, fileName)
}

func (b *bench) write(path, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) trust() {
	b.in.Trusted = func(string, string, []byte) (bool, error) { return true, nil }
}

func (b *bench) load() *Result {
	b.t.Helper()
	r, err := b.soon()
	if err != nil {
		b.t.Fatalf("load: %v", err)
	}
	return r
}

func texts(list []plan.Pattern) []string {
	var out []string
	for _, p := range list {
		text := string(p.Action) + " " + p.Text
		if p.Except {
			text = "!" + text
		}
		out = append(out, text)
	}
	return out
}

func sources(list []plan.Map) []string {
	var out []string
	for _, m := range list {
		out = append(out, m.Source+":"+m.Destination)
	}
	return out
}

func TestNoFileIsDefault(t *testing.T) {
	b := newBench(t)
	b.in.IsSet = func(string) bool { return false }
	got := b.load()
	want := &Result{Policy: initial(b.in.Builtin).policy()}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	p := got.Policy
	if p.Mode != plan.Normal || p.Network != plan.NetworkHost || !p.GPU || p.EnvListed || p.Strict || p.Cache != "" {
		t.Errorf("default is %+v", p)
	}
	if p.Docker || p.Display || p.SSH || p.UserNS || p.Nested || p.Ptrace || p.NoLandlock {
		t.Errorf("default opens something: %+v", p)
	}
	if want := []string{"mask .env", "!mask .env.example", "deny secrets/"}; !slices.Equal(texts(p.Mask), want) {
		t.Errorf("patterns %q, want %q", texts(p.Mask), want)
	}
}

const everything = `
mode = "normal"
mask = ["*.tfstate",
        "/build/out.txt"]
mask_except = ["certs/dev.pem"]
deny = ["vault/"]
deny_except = ["vault/pub"]
ro = ["/data/models", "~/shared:/shared"]
rw = ["~/out"]
env = ["CI", "API_BASE=https://api.test"]
env_policy = "listed"
network = "off"
gpu = false
docker = true
display = true
ssh = true
userns = true
nested = true
ptrace = true
no_landlock = true
strict = true
shims = ["terraform"]
worker_env = ["MY_TASK"]
jail_below = ["~/src"]
cache = "shared"
[commands.npm]
cache = "host"
rw = ["~/.cache/Cypress"]
`

func TestUserFileSaysEverything(t *testing.T) {
	b := newBench(t)
	b.write(b.in.UserFile, everything)
	p := b.load().Policy
	at := func(line int, text string) plan.Reason {
		return plan.Reason{Layer: "user", File: b.in.UserFile, Line: line, Text: text}
	}
	want := plan.Policy{
		Mode: plan.Normal, ModeReason: at(2, `mode = "normal"`),
		Mask: []plan.Pattern{
			{Text: ".env", Action: plan.ActMask},
			{Text: ".env.example", Action: plan.ActMask, Except: true},
			{Text: "*.tfstate", Action: plan.ActMask, Reason: at(3, `mask = ["*.tfstate"]`)},
			{Text: "/build/out.txt", Action: plan.ActMask, Reason: at(4, `mask = ["/build/out.txt"]`)},
			{Text: "certs/dev.pem", Action: plan.ActMask, Except: true, Reason: at(5, `mask_except = ["certs/dev.pem"]`)},
			{Text: "secrets/", Action: plan.ActDeny},
			{Text: "vault/", Action: plan.ActDeny, Reason: at(6, `deny = ["vault/"]`)},
			{Text: "vault/pub", Action: plan.ActDeny, Except: true, Reason: at(7, `deny_except = ["vault/pub"]`)},
		},
		ReadOnly: []plan.Map{
			{Source: "/data/models", Destination: "/data/models", Reason: at(8, `ro = ["/data/models"]`)},
			{Source: b.home + "/shared", Destination: "/shared", Reason: at(8, `ro = ["~/shared:/shared"]`)},
		},
		Writable: []plan.Map{
			{Source: b.home + "/out", Destination: b.home + "/out", Reason: at(9, `rw = ["~/out"]`)},
			{
				Source: b.home + "/.cache/Cypress", Destination: b.home + "/.cache/Cypress",
				Reason: at(28, `commands."npm" rw = ["~/.cache/Cypress"]`),
			},
		},
		Env: []plan.EnvRule{
			{Name: "CI", Reason: at(10, `env = ["CI"]`)},
			{Name: "API_BASE", Value: "https://api.test", Set: true, Reason: at(10, `env = ["API_BASE=..."]`)},
		},
		EnvListed: true, Network: plan.NetworkNone,
		Docker: true, Display: true, SSH: true, UserNS: true, Nested: true, Ptrace: true, Strict: true,
		NoLandlock: true, LandlockReason: at(20, "no_landlock = true"),
		Cache: "host", Shims: []plan.Shim{{Name: "terraform", Reason: at(22, `shims = ["terraform"]`)}},
		WorkerEnv: []string{"MY_TASK"}, Below: []string{b.home + "/src"},
		Settings: p.Settings,
	}
	want.Weakened = []plan.Reason{
		at(14, "docker = true"), at(15, "display = true"), at(16, "ssh = true"), at(17, "userns = true"), at(18, "nested = true"),
		at(19, "ptrace = true"), at(20, "no_landlock = true"), at(27, `commands."npm" cache = "host"`),
		want.Mask[4].Reason, want.Mask[7].Reason, want.ReadOnly[0].Reason, want.ReadOnly[1].Reason,
		want.Writable[0].Reason, want.Writable[1].Reason, want.Env[0].Reason, want.Env[1].Reason,
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
	var set []string
	for _, s := range p.Settings {
		set = append(set, s.Key+"="+s.Value)
	}
	if got, want := strings.Join(set, " "), "mode=normal env_policy=listed network=off gpu=false docker=true display=true "+
		"ssh=true userns=true nested=true ptrace=true no_landlock=true strict=true cache=host"; got != want {
		t.Errorf("settings %s\nwant %s", got, want)
	}
}

func TestLayersInOrder(t *testing.T) {
	b := newBench(t)
	b.project("proj/inner")
	b.trust()
	b.write(b.in.UserFile, `mask = ["u"]`+"\n"+`network = "off"`+"\n"+`rw = ["/data"]`)
	b.write(b.file(0), `mask = ["outer"]`+"\n"+`rw = ["lib:/lib-of-proj"]`+"\n"+`network = "on"`)
	b.write(b.file(1), `mask_except = ["u"]`+"\n"+`network = "off"`)
	b.in.Flags = Flags{Mask: []string{"f", "here/f"}, RO: []string{"/data", "x"}}
	p := b.load().Policy
	want := []string{"mask .env", "!mask .env.example", "mask u", "mask outer", "!mask u", "mask f", "mask here/f", "deny secrets/"}
	if !slices.Equal(texts(p.Mask), want) {
		t.Errorf("patterns %q\nwant     %q", texts(p.Mask), want)
	}
	var bases []string
	for _, m := range p.Mask {
		bases = append(bases, strings.TrimPrefix(m.Base, b.home))
	}
	if want := []string{"", "", "", "/proj", "/proj/inner", "", "/proj/sub", ""}; !slices.Equal(bases, want) {
		t.Errorf("bases %q, want %q", bases, want)
	}
	if p.Network != plan.NetworkNone {
		t.Error("the innermost file did not win")
	}
	if got, want := sources(p.Writable), []string{b.home + "/proj/lib:/lib-of-proj"}; !slices.Equal(got, want) {
		t.Errorf("rw %q, want %q", got, want)
	}
	if got, want := sources(p.ReadOnly), []string{"/data:/data", b.home + "/proj/sub/x:" + b.home + "/proj/sub/x"}; !slices.Equal(got, want) {
		t.Errorf("ro %q, want %q: a flag did not replace the file's map", got, want)
	}
}

func TestCommandTables(t *testing.T) {
	const text = `
cache = "none"
env = ["TOP"]
[commands."npm run dev"]
env = ["DEV"]
mask_except = [".env"]
[commands."npm run"]
env = ["RUN"]
[commands.npm]
cache = "shared"
env = ["NPM"]
[commands.npx]
env = ["NPX"]
[commands.corepack]
env = ["COREPACK"]
[commands.pip]
env = ["PIP"]
`
	for _, c := range []struct {
		preset string
		args   []string
		env    string
		cache  string
	}{
		{"npm", []string{"npm", "run", "dev", "--port"}, "TOP NPM RUN DEV", "shared"},
		{"npm", []string{"/usr/bin/npm", "run", "build"}, "TOP NPM RUN", "shared"},
		{"npm", []string{"npm", "install"}, "TOP NPM", "shared"},
		{"npm", []string{"npm"}, "TOP NPM", "shared"},
		{"npm", []string{"npm", "--silent", "run", "dev"}, "TOP NPM", "shared"},
		{"npm", []string{"npx", "run", "dev"}, "TOP NPM NPX", "shared"},
		{"npm", []string{"corepack", "npm"}, "TOP NPM COREPACK", "shared"},
		{"", []string{"npm"}, "TOP NPM", "shared"},
		{"", []string{"make"}, "TOP", "none"},
		{"npm", nil, "TOP", "none"},
	} {
		b := newBench(t)
		b.write(b.in.UserFile, text)
		b.in.Command = Command{Preset: c.preset, Args: c.args}
		p := b.load().Policy
		var env []string
		for _, e := range p.Env {
			env = append(env, e.Name)
		}
		if got := strings.Join(env, " "); got != c.env || p.Cache != c.cache {
			t.Errorf("%q of %q: env %s, cache %s; want %s, %s", c.args, c.preset, got, p.Cache, c.env, c.cache)
		}
		open := slices.ContainsFunc(p.Mask, func(m plan.Pattern) bool { return m.Except && m.Text == ".env" })
		if want := strings.HasSuffix(c.env, "DEV"); open != want {
			t.Errorf("%q: .env is open: %v, want %v", c.args, open, want)
		}
	}
}

func TestUnusableMarkerIsIgnored(t *testing.T) {
	b := newBench(t)
	b.write(b.file(0), "this is not TOML at all")
	b.in.Projects[0].Usable, b.in.Projects[0].Why = false, "it belongs to\x1b[31m another user"
	r := b.load()
	if len(r.Files) != 0 || len(r.Policy.Notes) != 1 {
		t.Fatalf("files %q, notes %+v", r.Files, r.Policy.Notes)
	}
	want := `the configuration in "` + b.in.Projects[0].Dir + `" is ignored: it belongs to\x1b[31m another user`
	if got := r.Policy.Notes[0].Text; got != want {
		t.Errorf("note %s\nwant %s", got, want)
	}
}
