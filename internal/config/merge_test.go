package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

func TestUntrustedAsksAreIgnoredInOneLine(t *testing.T) {
	b := newBench(t)
	b.write(b.file(0), `
mode = "worker"
mask = ["m"]
deny = ["d/"]
mask_except = [".env"]
rw = ["~/.aws", "~/k:/data"]
env = ["AWS_PROFILE", "X=1"]
docker = true
shims = ["terraform"]
[commands.npm]
cache = "host"
[commands.pip]
ssh = true
`)
	r := b.load()
	p := r.Policy
	if p.Mode != plan.Worker || p.Docker || len(p.Writable)+len(p.Env)+len(p.Shims) > 0 || p.Cache != "" {
		t.Errorf("an untrusted file loosened: %+v", p)
	}
	want := []string{"mask .env", "!mask .env.example", "mask m", "deny secrets/", "deny d/"}
	if !slices.Equal(texts(p.Mask), want) {
		t.Errorf("patterns %q, want %q", texts(p.Mask), want)
	}
	if len(p.Notes) != 1 {
		t.Fatalf("notes %+v", p.Notes)
	}
	details := []string{
		`leave ".env" readable (line 5)`,
		`read and write "` + b.home + `/.aws" (line 6)`, `read and write "` + b.home + `/k as /data" (line 6)`,
		`get the variable "AWS_PROFILE" (line 7)`, `get the variable "X" (line 7)`,
		`reach the Docker socket, which is root on this host (line 8)`, `shim the command "terraform" (line 9)`,
		`keep package caches (host) for "npm" (line 11)`,
	}
	text := b.file(0) + " is not trusted, so 8 requests in it are ignored: jail-hook trust"
	if n := p.Notes[0]; n.Text != text || n.Hint != "" || !n.Stricter || !slices.Equal(n.Details, details) {
		t.Errorf("note %s\nhint %q\nwant %s\ndetails\n%s", n.Text, n.Hint, text, strings.Join(n.Details, "\n"))
	}
	if last := r.Ignored[len(r.Ignored)-1]; last.String() != `keep package caches (host) for "npm" (line 11)` {
		t.Errorf("last ask %s", last)
	}
	if len(r.Ignored) != 8 {
		t.Errorf("%d asks: %v; a table of another command is none of this one's", len(r.Ignored), r.Ignored)
	}
}

func TestUntrustedTightensEveryChoice(t *testing.T) {
	b := newBench(t)
	b.write(b.in.UserFile, strings.NewReplacer(`network = "off"`, "", "gpu = false", "", "strict = true", "", `env_policy = "listed"`, "").Replace(everything))
	b.write(b.file(0), `
mode = "lockdown"
network = "off"
gpu = false
docker = false
display = false
ssh = false
userns = false
nested = false
ptrace = false
no_landlock = false
strict = true
cache = "none"
env_policy = "listed"
`)
	r := b.load()
	p := r.Policy
	if p.Docker || p.Display || p.SSH || p.UserNS || p.Nested || p.Ptrace || p.NoLandlock || p.GPU || !p.Strict || !p.EnvListed ||
		p.Network != plan.NetworkNone || p.Cache != "none" || p.Mode != plan.Lockdown {
		t.Errorf("not tightened: %+v", p)
	}
	if len(p.Notes) != 0 || len(r.Ignored) != 0 {
		t.Errorf("tightening is no reason for a note: %+v", p.Notes)
	}
}

func TestWhatChangesNothingIsNotAsked(t *testing.T) {
	b := newBench(t)
	b.in.Trusted = func(string, string, []byte) (bool, error) {
		t.Error("consent was looked up")
		return false, nil
	}
	b.write(b.file(0), `network = "on"`+"\n"+`gpu = true`+"\n"+`mode = "normal"`+"\n"+`mask = ["x"]`+"\n[commands.pip]\nssh = true")
	if r := b.load(); len(r.Policy.Notes) != 0 {
		t.Errorf("notes %+v", r.Policy.Notes)
	}
}

// A file that repeats what holds already is not the one who said it.
func TestReasonIsTheFirstToSaySo(t *testing.T) {
	b := newBench(t)
	b.write(b.in.UserFile, "docker = true")
	b.write(b.file(0), "docker = true\ngpu = true")
	p := b.load().Policy
	if len(p.Settings) != 1 || p.Settings[0].Reason.File != b.in.UserFile {
		t.Errorf("settings %+v", p.Settings)
	}
}

func TestTrustIsAskedWithTheBytesThatAreParsed(t *testing.T) {
	b := newBench(t)
	const text = "docker = true # \xc3\xa9\n"
	b.write(b.file(0), text)
	asked := 0
	b.in.Trusted = func(dir, name string, data []byte) (bool, error) {
		asked++
		return dir == b.in.Projects[0].Dir && name == "config.toml" && string(data) == text, nil
	}
	if r := b.load(); !r.Policy.Docker || asked != 1 || len(r.Policy.Notes) != 0 {
		t.Errorf("docker %v, asked %d times, notes %+v", r.Policy.Docker, asked, r.Policy.Notes)
	}
	broken := errors.New("the store can be written by others")
	b.in.Trusted = func(string, string, []byte) (bool, error) { return true, broken }
	if _, err := Load(b.in); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the store", err)
	}
}

func TestOnlyTheUntrustedFileIsHeldBack(t *testing.T) {
	b := newBench(t)
	b.project("proj/it's inner")
	b.write(b.file(0), "ssh = true\ndocker = true")
	b.write(b.file(1), "display = true\nssh = false")
	b.in.Trusted = func(dir, _ string, _ []byte) (bool, error) { return dir == b.in.Projects[1].Dir, nil }
	p := b.load().Policy
	if p.SSH || p.Docker || !p.Display {
		t.Errorf("ssh %v docker %v display %v", p.SSH, p.Docker, p.Display)
	}
	if want := ": jail-hook trust " + b.in.Projects[0].Dir; len(p.Notes) != 1 || !strings.HasSuffix(p.Notes[0].Text, want) {
		t.Errorf("notes %+v, want %s", p.Notes, want)
	}
	b.in.Trusted = func(dir, _ string, _ []byte) (bool, error) { return dir == b.in.Projects[0].Dir, nil }
	if p := b.load().Policy; p.SSH || !p.Docker || p.Display {
		t.Errorf("an untrusted inner file must tighten a trusted outer one: %+v", p)
	}
}

func TestModeVariableOnlyTightens(t *testing.T) {
	for _, c := range []struct {
		file, list string
		flag       plan.Mode
		want       plan.Mode
	}{
		{"normal", "", "", plan.Worker},
		{"worker", "", "", plan.Worker},
		{"lockdown", "", "", plan.Lockdown},
		{"normal", "[]", "", plan.Normal},
		{"normal", `["OTHER"]`, "", plan.Normal},
		{"normal", `["OTHER", "HERMES_KANBAN_TASK"]`, "", plan.Worker},
		{"normal", "", plan.Normal, plan.Normal},
		{"lockdown", "", plan.Normal, plan.Normal},
		{"normal", "", plan.Lockdown, plan.Lockdown},
	} {
		b := newBench(t)
		text := fmt.Sprintf("mode = %q\n", c.file)
		if c.list != "" {
			text += "worker_env = " + c.list
		}
		b.write(b.in.UserFile, text)
		b.in.IsSet = func(name string) bool { return name == "HERMES_KANBAN_TASK" }
		b.in.Flags.Mode = c.flag
		r := b.load()
		if r.Policy.Mode != c.want || len(r.Policy.Notes) != 0 {
			t.Errorf("%+v: mode %s, notes %+v", c, r.Policy.Mode, r.Policy.Notes)
		}
		if c.want == plan.Worker && c.file == "normal" && r.Policy.ModeReason.Text != "HERMES_KANBAN_TASK is set" {
			t.Errorf("%+v: reason %+v", c, r.Policy.ModeReason)
		}
	}
}

const opened = `
network = "on"
gpu = true
docker = true
display = true
ssh = true
userns = true
nested = true
ptrace = true
cache = "host"
env_policy = "judged"
rw = ["/srv/data"]
ro = ["/srv/models"]
env = ["NAME"]
`

func TestModeTurnsOffWhatFilesSay(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name  string
		flags Flags
		want  string
	}{
		{"worker", Flags{Mode: plan.Worker}, "host false false false false true true true host true [/srv/data:/srv/data] [/srv/models:/srv/models] 0"},
		{"lockdown", Flags{Mode: plan.Lockdown}, "none false false false false false false false none true [] [/srv/models:/srv/models /srv/data:/srv/data] 0"},
		{
			"flags hold", Flags{Mode: plan.Lockdown, Network: "on", GPU: &yes, Cache: "shared", RW: []string{"/srv/data"}},
			"host true false false false false false false shared true [/srv/data:/srv/data] [/srv/models:/srv/models] 4",
		},
		{"a flag that tightens", Flags{Mode: plan.Lockdown, Network: "off"}, "none false false false false false false false none true [] [/srv/models:/srv/models /srv/data:/srv/data] 0"},
		{"normal", Flags{Mode: plan.Normal}, "host true true true true true true true host false [/srv/data:/srv/data] [/srv/models:/srv/models] 0"},
	} {
		b := newBench(t)
		b.write(b.in.UserFile, opened)
		b.in.Flags = c.flags
		p := b.load().Policy
		got := fmt.Sprintln(p.Network, p.GPU, p.Docker, p.Display, p.SSH, p.UserNS, p.Nested, p.Ptrace, p.Cache, p.EnvListed, sources(p.Writable), sources(p.ReadOnly), len(p.Notes))
		got = strings.Join(strings.Fields(got), " ")
		want := strings.Join(strings.Fields(c.want), " ")
		if got != want {
			t.Errorf("%s: %s\nwant %s\nnotes %+v", c.name, got, want, p.Notes)
		}
		if len(p.Env) != 1 {
			t.Errorf("%s: the user's own variable is gone", c.name)
		}
	}
	b := newBench(t)
	b.in.Flags = Flags{Mode: plan.Lockdown, Network: "on"}
	if n := b.load().Policy.Notes; len(n) != 1 || n[0].Text != `--network=on loosens mode lockdown` {
		t.Errorf("notes %+v", n)
	}
}

func TestFlagsAreChecked(t *testing.T) {
	b := newBench(t)
	b.in.LooksSecret = func(name string) bool { return strings.Contains(name, "TOKEN") }
	for _, c := range []struct {
		flags       Flags
		cause, hint string
	}{
		{Flags{Mode: "lokdown"}, `--mode: "lokdown" is not one of lockdown, worker, normal`, `--mode=lockdown`},
		{Flags{RW: []string{"/"}}, `--rw: "/" cannot be mapped: it is or holds "/"`, `--rw "~/one/directory"`},
		{Flags{MaskExcept: []string{"../x"}}, `--mask-except: the pattern "../x" leads out of its directory`, ""},
		{Flags{Env: []string{"MY_TOKEN=hush"}}, `--env: the value of MY_TOKEN would be seen in ps`, "--env MY_TOKEN"},
	} {
		b.in.Flags = c.flags
		_, err := Load(b.in)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Error() != c.cause || e.Hint != c.hint {
			t.Errorf("%+v: %v, hint %q\nwant %s, hint %q", c.flags, err, hintOf(e), c.cause, c.hint)
		}
	}
	b.in.Flags = Flags{Env: []string{"MY_TOKEN", "PLAIN=1"}}
	if p := b.load().Policy; len(p.Env) != 2 {
		t.Errorf("env %+v", p.Env)
	}
}

func hintOf(e *Error) string {
	if e == nil {
		return ""
	}
	return e.Hint
}

// What can loosen must have words, or the prompt of trust would hide it.
func TestEveryGrantHasWords(t *testing.T) {
	for _, k := range keys() {
		tightens := k.kind == patternList && !k.except
		if hidden := k.grant == ""; hidden != (tightens || k.scope == userOnly) {
			t.Errorf("%s: words %q", k.name, k.grant)
		}
		if k.choice() != (len(k.order) > 1) || k.choice() && k.rank(k.start()) < 0 {
			t.Errorf("%s: order %q, start %q", k.name, k.order, k.start())
		}
	}
}

func TestAsksCoversAllCommands(t *testing.T) {
	b := newBench(t)
	b.write(b.file(0), everything[:strings.Index(everything, "worker_env")]+"[commands.pip]\nnetwork=\"on\"\nmask=[\"x\"]\n[commands.\"npm run\"]\nro=[\"/srv:/s\"]")
	f, err := ReadProject(b.in.Projects[0].Dir, b.in.UID)
	if err != nil {
		t.Fatal(err)
	}
	asks, err := Asks(b.in, b.in.Projects[0].Dir, f)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range asks {
		got = append(got, a.String())
	}
	want := []string{
		`run in mode normal (line 2)`,
		`leave "certs/dev.pem" readable (line 5)`,
		`leave "vault/pub" accessible (line 7)`,
		`read "/data/models" (line 8)`,
		`read "` + b.home + `/shared as /shared" (line 8)`,
		`read and write "` + b.home + `/out" (line 9)`,
		`get the variable "CI" (line 10)`,
		`get the variable "API_BASE" (line 10)`,
		`reach the Docker socket, which is root on this host (line 14)`,
		`reach the display (line 15)`,
		`use the ssh agent (line 16)`,
		`make user namespaces (line 17)`,
		`mount, without Landlock (line 18)`,
		`trace its own processes (line 19)`,
		`run without Landlock (line 20)`,
		`shim the command "terraform" (line 22)`,
		`reach the network for "pip" (line 24)`,
		`read "/srv as /s" for "npm run" (line 27)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
