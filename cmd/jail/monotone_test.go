package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jail/internal/config"
	"jail/internal/sandbox/plan"
	"jail/internal/trust"
)

// The property that the whole of trust rests on: for every project file P, what an
// untrusted P allows is a subset of what no P allows. It is held on plans, made on
// this host by all that makes one, over generated files of the user, of several
// projects, and command lines. The same with trust is the control: there the order
// must be broken often.
func TestUntrustedPlanNeverWidens(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	g := newGround(t)
	widened, compared := 0, 0
	for seed := range rounds {
		g.layers(uint64(seed))
		without := g.plan(t, "")
		with := g.plan(t, g.text)
		if why := g.widens(without, with); why != "" {
			t.Fatalf("seed %d: %s\n%s", seed, why, g.describe())
		}
		g.trust(t)
		if without != nil {
			compared++
			if g.widens(without, g.plan(t, g.text)) != "" {
				widened++
			}
		}
	}
	if compared < rounds/2 || widened < compared/4 {
		t.Errorf("%d plans of %d were compared, and a trusted file widened in %d", compared, rounds, widened)
	}
	for _, key := range documentedKeys(t) {
		if !g.used[key] {
			t.Errorf("no project file had the key %q", key)
		}
	}
}

// documentedKeys are the keys that a project's file may have; another test holds the
// manual to them.
func documentedKeys(t *testing.T) (keys []string) {
	t.Helper()
	page, err := os.ReadFile("../../man/jail-config.5")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\.It Cm ([a-z_]+) =`).FindAllStringSubmatch(string(page), -1) {
		if !slices.Contains([]string{"worker_env", "jail_below", "shims_except"}, m[1]) { // the user's alone
			keys = append(keys, m[1])
		}
	}
	return keys
}

// A ground is a few nested projects and what could be shown to them.
type ground struct {
	dir      string
	r        *rand.Rand
	env      []string
	projects []string // outermost first
	subject  int      // whose file is in question
	text     string
	options  options
	used     map[string]bool
}

func newGround(t *testing.T) *ground {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{dir: dir, used: map[string]bool{}}
	for _, name := range []string{
		"out/x/file", "out/y/file", "p/.env", "p/certs/dev.pem", "p/vault/x", "p/top.key", "p/plain", "p/lib/x",
		"p/a/.env", "p/a/token.json", "p/a/b/deep.pem", "p/a/b/secrets/x", "p/a/b/plain",
	} {
		text := "x"
		if strings.HasSuffix(name, ".pem") {
			text = "-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n"
		}
		g.write(t, name, text)
	}
	for _, p := range []string{"p", "p/a", "p/a/b"} {
		g.projects = append(g.projects, g.at(p))
		g.write(t, p+"/.ai-jail/keep", "")
	}
	for _, s := range []string{"ssh-agent.1", "run/wayland-0"} {
		os.MkdirAll(filepath.Dir(g.at(s)), 0o700)
		l, err := net.Listen("unix", g.at(s))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
	}
	g.env = []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + os.Getenv("HOME"), "XDG_DATA_HOME=" + g.at("data"), "XDG_CONFIG_HOME=" + g.at("config"),
		"SSH_AUTH_SOCK=" + g.at("ssh-agent.1"), "WAYLAND_DISPLAY=wayland-0", "XDG_RUNTIME_DIR=" + g.at("run"), "DOCKER_HOST=tcp://127.0.0.1:1",
		"API_TOKEN=x", "HARMLESS=1", "LANG=C",
	}
	return g
}

func (g *ground) at(name string) string { return filepath.Join(g.dir, name) }

func (g *ground) file(project int) string {
	return filepath.Join(g.projects[project], ".ai-jail/config.toml")
}

func (g *ground) write(t *testing.T, name, text string) {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = g.at(name)
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// layers makes up what everybody says.
func (g *ground) layers(seed uint64) {
	g.r = rand.New(rand.NewPCG(seed, 7))
	os.RemoveAll(g.at("data/jail/trust"))
	os.Remove(g.at("config/jail/config.toml"))
	os.MkdirAll(g.at("config/jail"), 0o755)
	if g.r.IntN(3) > 0 {
		os.WriteFile(g.at("config/jail/config.toml"), []byte(g.toml(false)), 0o644)
	}
	g.subject = g.r.IntN(len(g.projects))
	for i := range g.projects {
		os.Remove(g.file(i))
		if i != g.subject && g.r.IntN(2) == 0 {
			os.WriteFile(g.file(i), []byte(g.toml(true)), 0o644)
		}
	}
	g.text = g.toml(true)
	g.options = options{args: [][]string{{"sh", "-c", "true"}, {"sh"}, {"npm", "install"}, {"env"}}[g.r.IntN(4)]}
	g.options.dryRun = true
	if g.r.IntN(2) == 0 {
		g.flags()
	}
}

func (g *ground) pick(words ...string) string { return words[g.r.IntN(len(words))] }

// toml is a file of some keys, for all commands and for some.
func (g *ground) toml(project bool) string {
	text := g.table(project, true)
	for _, name := range []string{"sh", `"sh -c"`, "npm", `"npm install"`} {
		if g.r.IntN(3) == 0 {
			text += "[commands." + name + "]\n" + g.table(project, false)
		}
	}
	return text
}

func (g *ground) table(project, top bool) string {
	var b strings.Builder
	say := func(key, value string) {
		// A choice that mostly ends in a refusal leaves nothing to compare.
		if g.r.IntN(5) < 2 && (key != "strict" || g.r.IntN(8) == 0) {
			fmt.Fprintf(&b, "%s = %s\n", key, value)
			g.used[key] = g.used[key] || project
		}
	}
	boolean := func() string { return g.pick("true", "false") }
	say("mode", g.pick(`"normal"`, `"worker"`, `"lockdown"`))
	for _, key := range []string{"mask", "mask_except", "deny", "deny_except"} {
		say(key, g.list(".env", "*.pem", "vault/", "certs/dev.pem", "/top.key", "a/b/deep.pem", "secrets/", "*", "plain"))
	}
	for _, key := range []string{"ro", "rw"} {
		maps := []string{g.at("out/x"), g.at("out/y") + ":/y", g.at("out/x") + ":/opt/x", g.at("p/lib") + ":/lib-of-p", "~/.cache"}
		if project {
			maps = append(maps, "../out/x", "lib/../../out/y:/z")
		}
		say(key, g.list(maps...))
	}
	say("env", g.list("API_TOKEN", "API_TOKEN=other", "HARMLESS=2", "BASH_ENV=/x", "NODE_OPTIONS=--require=/x", "NEW=1"))
	say("env_policy", g.pick(`"judged"`, `"listed"`))
	say("network", g.pick(`"on"`, `"off"`))
	for _, key := range []string{"gpu", "docker", "display", "ssh", "userns", "nested", "ptrace", "no_landlock"} {
		say(key, boolean())
	}
	say("cache", g.pick(`"none"`, `"project"`, `"shared"`, `"host"`))
	if top {
		say("strict", boolean())
		say("shims", g.list("terraform", "helm"))
	}
	return b.String()
}

func (g *ground) list(pool ...string) string {
	var some []string
	for _, v := range pool {
		if g.r.IntN(3) == 0 {
			some = append(some, strconv.Quote(v))
		}
	}
	return "[" + strings.Join(some, ", ") + "]"
}

func (g *ground) flags() {
	f := &g.options.policy
	f.Mode = plan.Mode(g.pick("", "", "normal", "worker", "lockdown"))
	f.Network, f.Cache = g.pick("", "", "on", "off"), g.pick("", "", "none", "shared")
	for _, l := range []*[]string{&f.Mask, &f.MaskExcept, &f.Deny, &f.DenyExcept} {
		if g.r.IntN(3) == 0 {
			*l = []string{g.pick(".env", "*.pem", "vault/", "plain")}
		}
	}
	if g.r.IntN(3) == 0 {
		f.RO, f.RW = []string{g.at("out/x")}, []string{g.at("out/y") + ":/y"}
	}
	yes := true
	for _, b := range []**bool{&f.GPU, &f.Docker, &f.Display, &f.SSH, &f.UserNS, &f.Nested, &f.Ptrace, &f.NoLandlock} {
		if g.r.IntN(6) == 0 {
			*b = &yes
		}
	}
}

// plan is what a command gets with that text in the file in question; none for no
// file. It is nil where the launch is refused.
func (g *ground) plan(t *testing.T, text string) *plan.Plan {
	t.Helper()
	os.Remove(g.file(g.subject))
	if text != "" {
		g.write(t, g.file(g.subject), text)
	}
	c := newCaller([]string{"jail"}, g.env, io.Discard)
	c.physical = g.projects[len(g.projects)-1]
	c.logical, c.typed = c.physical, c.physical
	project, err := c.place(g.options)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.plan(g.options, project)
	if bad := (*config.Error)(nil); errors.As(err, &bad) {
		t.Fatalf("%v\n%s", err, g.describe()) // the generator's fault
	}
	if err != nil {
		return nil
	}
	return p
}

// trust consents to the file in question as it is.
func (g *ground) trust(t *testing.T) {
	t.Helper()
	store := trust.Store{Dir: g.at("data/jail/trust")}
	if err := store.Allow(g.projects[g.subject], []trust.File{{Name: "config.toml", Data: []byte(g.text)}}); err != nil {
		t.Fatal(err)
	}
}

func (g *ground) describe() string {
	read := func(name string) string { b, _ := os.ReadFile(name); return string(b) }
	out := "user:\n" + read(g.at("config/jail/config.toml"))
	for i := range g.projects {
		out += fmt.Sprintf("project %d (in question: %v):\n%s", i, i == g.subject, read(g.file(i)))
	}
	return out + fmt.Sprintf("flags: %+v\ncommand: %q", g.options.policy, g.options.args)
}
