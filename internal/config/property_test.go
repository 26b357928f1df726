package config

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// For every project file P, what an untrusted P allows is a subset of what no P
// allows: over generated user's files, other projects, flags and variables. The
// same run with trust is the control: there the order must be broken often.
func TestUntrustedNeverWidens(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	ground := newBench(t)
	ground.project("proj/a")
	ground.project("proj/a/b")
	root := ground.in.Projects[0].Dir
	widened := 0
	for seed := range rounds {
		g := generate(*ground, uint64(seed))
		without, with := g.both(false)
		if why := widens(root, without, with); why != "" {
			t.Fatalf("seed %d: %s\n%s", seed, why, g.describe())
		}
		if without, with = g.both(true); widens(root, without, with) != "" {
			widened++
		}
	}
	if widened < rounds/4 {
		t.Errorf("a trusted file widened in %d of %d rounds: the generator or the order sees too little", widened, rounds)
	}
}

// A generated set of layers; the project file in question is one of several.
type generated struct {
	bench
	r       *rand.Rand
	subject int
	text    string
}

// generate fills a bench anew. It works on a copy, whose files are the same.
func generate(ground bench, seed uint64) *generated {
	g := &generated{bench: ground, r: rand.New(rand.NewPCG(seed, 1))}
	g.put(g.in.UserFile, g.file(false), g.r.IntN(3) > 0)
	g.in.Projects = g.in.Projects[:1+g.r.IntN(3)]
	g.subject = g.r.IntN(len(g.in.Projects))
	for i := range g.in.Projects {
		g.put(g.bench.file(i), g.file(true), g.r.IntN(2) == 0)
	}
	g.text = g.file(true)
	g.in.Flags = g.flags()
	set := g.r.IntN(4) == 0
	g.in.IsSet = func(string) bool { return set }
	g.in.Command = []Command{{"npm", []string{"npm", "run", "dev"}}, {"npm", []string{"npx"}}, {"", []string{"make"}}}[g.r.IntN(3)]
	return g
}

func (g *generated) put(path, text string, there bool) {
	os.Remove(path)
	if there {
		g.write(path, text)
	}
}

// both loads without the file in question and with it. The other projects are
// trusted by the toss of a coin that is the same for both.
func (g *generated) both(trust bool) (without, with plan.Policy) {
	others := g.r.IntN(2) == 0
	g.in.Trusted = func(dir, _ string, _ []byte) (bool, error) {
		if dir == g.in.Projects[g.subject].Dir {
			return trust, nil
		}
		return others, nil
	}
	g.put(g.bench.file(g.subject), "", false)
	without = g.load().Policy
	g.write(g.bench.file(g.subject), g.text)
	return without, g.load().Policy
}

func (g *generated) describe() string {
	read := func(p string) string { b, _ := os.ReadFile(p); return string(b) }
	out := "user:\n" + read(g.in.UserFile)
	for i := range g.in.Projects {
		out += fmt.Sprintf("project %d (in question: %v):\n%s", i, i == g.subject, read(g.bench.file(i)))
	}
	return out + fmt.Sprintf("flags: %+v\ncommand: %+v", g.in.Flags, g.in.Command)
}

// file makes a valid file of random keys, with tables for commands.
func (g *generated) file(project bool) string {
	text := g.table(project, true)
	for _, name := range []string{"npm", `"npm run"`, "make"} {
		if g.r.IntN(3) == 0 {
			text += "[commands." + name + "]\n" + g.table(project, false)
		}
	}
	return text
}

func (g *generated) table(project, top bool) string {
	var b strings.Builder
	for _, k := range keys() {
		if g.r.IntN(5) > 1 || k.scope == userOnly || k.scope == topLevel && !top {
			continue
		}
		if k.choice() {
			fmt.Fprintf(&b, "%s = %s\n", k.name, literal(k.words()[g.r.IntN(len(k.words()))]))
			continue
		}
		list := g.some(k.kind)
		if project && k.kind == mapList {
			list = append(list, "lib/../../out:/out")
		}
		for i := range list {
			list[i] = strconv.Quote(list[i])
		}
		fmt.Fprintf(&b, "%s = [%s]\n", k.name, strings.Join(list, ", "))
	}
	return b.String()
}

func (g *generated) some(k kind) []string {
	pool := map[kind][]string{
		patternList: {".env", "*.pem", "vault/", "certs/dev.pem", "/top.key", "a/b/deep.pem", "secrets/", "*"},
		mapList:     {"/srv/x", "/srv/y:/y", "~/x", "~/z:/srv/x", "/srv/y:/srv/x"},
		envList:     {"A", "A=1", "B", "NODE_OPTIONS=--require x"},
		commandList: {"terraform", "helm"},
	}[k]
	return slices.DeleteFunc(pool, func(string) bool { return g.r.IntN(3) > 0 })
}

func (g *generated) flags() Flags {
	if g.r.IntN(2) == 0 {
		return Flags{}
	}
	maybe := func(words ...string) string { return words[g.r.IntN(len(words))] }
	yes, no := true, false
	boolean := func() *bool { return []*bool{nil, nil, &yes, &no}[g.r.IntN(4)] }
	return Flags{
		Mode: plan.Mode(maybe("", "", "normal", "worker", "lockdown")), Network: maybe("", "on", "off"), Cache: maybe("", "none", "host"),
		Mask: g.some(patternList), MaskExcept: g.some(patternList), Deny: g.some(patternList), DenyExcept: g.some(patternList),
		RO: g.some(mapList), RW: g.some(mapList), Env: g.some(envList),
		GPU: boolean(), Docker: boolean(), SSH: boolean(), UserNS: boolean(), Ptrace: boolean(), NoLandlock: boolean(), Strict: boolean(),
	}
}

// widens says what the policy b allows that a does not, or nothing. This is the
// partial order that the property is about.
func widens(root string, a, b plan.Policy) string {
	modes := []plan.Mode{plan.Lockdown, plan.Worker, plan.Normal}
	caches := []string{plan.CacheNone, plan.CacheProject, "", plan.CacheShared, plan.CacheHost}
	for _, c := range []struct {
		what string
		wide bool
	}{
		{"mode", slices.Index(modes, b.Mode) > slices.Index(modes, a.Mode)},
		{"cache", slices.Index(caches, b.Cache) > slices.Index(caches, a.Cache)},
		{"network", a.Network == plan.NetworkNone && b.Network != plan.NetworkNone},
		{"gpu", b.GPU && !a.GPU},
		{"docker", b.Docker && !a.Docker},
		{"display", b.Display && !a.Display},
		{"ssh", b.SSH && !a.SSH},
		{"userns", b.UserNS && !a.UserNS},
		{"nested", b.Nested && !a.Nested},
		{"ptrace", b.Ptrace && !a.Ptrace},
		{"no_landlock", b.NoLandlock && !a.NoLandlock},
		{"strict", a.Strict && !b.Strict},
		{"env_policy", a.EnvListed && !b.EnvListed},
		{"worker_env", !slices.Equal(a.WorkerEnv, b.WorkerEnv)},
		{"jail_below", !slices.Equal(a.Below, b.Below)},
		{"shims", !slices.Equal(a.Shims, b.Shims)},
		{"shims_except", !slices.Equal(a.ShimsExcept, b.ShimsExcept)},
		{"env", !slices.Equal(a.Env, b.Env)},
		{"rw", !subset(b.Writable, a.Writable)},
		{"ro", !subset(b.ReadOnly, slices.Concat(a.ReadOnly, a.Writable))},
	} {
		if c.wide {
			return c.what
		}
	}
	return opens(root, a.Mask, b.Mask)
}

func subset(b, a []plan.Map) bool {
	for _, m := range b {
		if !slices.ContainsFunc(a, func(o plan.Map) bool { return o.Source == m.Source && o.Destination == m.Destination }) {
			return false
		}
	}
	return true
}

// opens finds a path that b hides less than a, by two readings of the list: a
// later pattern wins whatever its action, and each action for itself with a deny
// above a mask.
func opens(root string, a, b []plan.Pattern) string {
	for _, name := range []string{".env", "a.pem", "certs/dev.pem", "certs/x.pem", "vault", "top.key", "a/top.key", "a/b/deep.pem", "a/b/a/b/deep.pem", "secrets", "a/b/secrets", "plain"} {
		file := filepath.Join(root, name)
		for i, hides := range []func([]plan.Pattern, string, string) int{laterWins, byAction} {
			if was, is := hides(a, root, file), hides(b, root, file); is < was {
				return fmt.Sprintf("%s is hidden by %d, and was by %d (reading %d)", name, is, was, i)
			}
		}
	}
	return ""
}

const (
	plainly = iota
	masked
	denied
)

func laterWins(list []plan.Pattern, root, file string) int {
	state := plainly
	for _, p := range list {
		switch {
		case !names(p, root, file):
		case p.Except:
			state = plainly
		case p.Action == plan.ActMask:
			state = masked
		default:
			state = denied
		}
	}
	return state
}

func byAction(list []plan.Pattern, root, file string) int {
	of := func(a plan.Action) bool {
		hit := false
		for _, p := range list {
			if p.Action == a && names(p, root, file) {
				hit = !p.Except
			}
		}
		return hit
	}
	switch {
	case of(plan.ActDeny):
		return denied
	case of(plan.ActMask):
		return masked
	}
	return plainly
}

// names is a naive gitignore match, enough for the pool above.
func names(p plan.Pattern, root, file string) bool {
	base := cmp.Or(p.Base, root)
	if !within(file, base) {
		return false
	}
	text := strings.TrimSuffix(p.Text, "/")
	if !strings.Contains(text, "/") {
		ok, _ := path.Match(text, path.Base(file))
		return ok
	}
	ok, _ := path.Match(path.Join(base, text), file)
	return ok
}
