package plan_test

import (
	"bytes"
	"errors"
	"flag"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

var update = flag.Bool("update", false, "write the golden files")

// input describes one project on one host that does not exist.
func input() plan.Input {
	n := uint64(0)
	source := func(path string, t plan.Type) plan.Source {
		n++
		return plan.Source{Path: path, Type: t, ID: plan.ID{Dev: 1, Ino: n}}
	}
	dir := func(path string) plan.Source { return source(path, plan.Directory) }
	file := func(path string) plan.Source { return source(path, plan.Regular) }
	link := func(path, text string) plan.Source {
		return plan.Source{Path: path, Type: plan.Symlink, Link: text}
	}
	return plan.Input{
		Policy: plan.Policy{Mode: plan.Normal, Network: plan.NetworkHost, GPU: true, ModeReason: plan.Reason{Layer: "built in", Text: "default"}},
		Root:   plan.Root{Path: "/home/u/proj", As: "/home/u/link", ID: plan.ID{Dev: 1, Ino: 900}, Marker: true, Why: ".ai-jail"},
		Command: plan.Command{
			Args: []string{"npm", "install", "a b\n"}, Path: "/usr/bin/npm", Cwd: "/home/u/proj/sub",
			Env: []string{"PATH=/usr/bin"},
		},
		Facts: plan.Facts{
			Owner: plan.Owner{UID: 1000, GID: 1000}, Homes: []string{"/home/u"}, Memory: 8 << 30,
			Kernel: plan.Kernel{Release: "6.18", LandlockABI: 7, Seccomp: true, MountAPI: true, Openat2: true, CloseRange: true, CgroupNS: true},
			System: []plan.Source{dir("/usr"), link("/bin", "usr/bin"), link("/lib", "usr/lib"), dir("/etc"), dir("/sys")},
			Etc:    []plan.Source{file("/etc/passwd"), dir("/etc/ssl")},
			Hidden: []plan.Source{file("/etc/shadow"), dir("/etc/ssl/private")},
			Links:  []plan.Source{file("/run/systemd/resolve/stub-resolv.conf")},
			Proc: []plan.ProcEntry{
				{Source: plan.Source{Path: "/proc/sys", Type: plan.Directory}},
				{Source: plan.Source{Path: "/proc/kcore", Type: plan.Regular}, Hidden: true},
			},
			SysHidden: []plan.Source{dir("/sys/firmware")},
			Devices:   []plan.Source{source("/dev/null", plan.CharDevice)},
			GPU:       []plan.Source{source("/dev/nvidia0", plan.CharDevice)},
			Console:   source("/dev/pts/3", plan.CharDevice),
			Tools: []plan.Need{{
				Source: dir("/home/u/.nvm/versions/node/v20"),
				Reason: plan.Reason{Layer: "toolchain", Text: "nvm v20, for node on PATH"},
			}},
			Caches: []plan.Cache{{
				Destination: "/home/u/.npm", Source: dir("/home/u/.local/share/jail/cache/x/npm"), Type: plan.Directory,
				Backing: "project", Reason: plan.Reason{Layer: "preset", Text: "npm: cache of this project"},
			}},
			Stdio:   [3]plan.Descriptor{{Type: plan.CharDevice, Terminal: true}, {FD: 1, Type: plan.Regular}, {FD: 2, Type: plan.FIFO}},
			Rlimits: []plan.Rlimit{{Name: "NOFILE", Soft: 1024, Hard: 4096}, {Name: "NPROC", Soft: 96000, Hard: 96000}},
		},
		Found: plan.Found{
			Hits: []plan.Hit{
				{Path: "/home/u/proj/.env", Type: plan.Regular, ID: plan.ID{Dev: 1, Ino: 901}, Action: plan.ActMask, Pattern: ".env", Reason: plan.Reason{Layer: "built in", Text: ".env"}},
				{Path: "/home/u/proj/secrets", Type: plan.Directory, ID: plan.ID{Dev: 1, Ino: 902}, Action: plan.ActDeny, Pattern: "secrets/", Reason: plan.Reason{Layer: "built in", Text: "secrets/"}},
			},
			Open: []plan.Open{{Path: "/home/u/proj/ca.pem", Pattern: "*.pem", Why: "holds nothing but certificates"}},
			Pins: []plan.Pinned{
				{Source: plan.Source{Path: "/home/u/proj/.git", Type: plan.Directory, ID: plan.ID{Dev: 1, Ino: 903}}},
				{Source: plan.Source{Path: "/home/u/proj/.git/hooks", Type: plan.Directory, ID: plan.ID{Dev: 1, Ino: 904}}, ReadOnly: true},
			},
		},
		Judge: func(env []string, visible func(string) bool) ([]string, plan.Environ) {
			return env, plan.Environ{Kept: []string{"PATH"}, Dropped: []plan.Dropped{{Name: "NPM_TOKEN", Why: "the name holds TOKEN"}}}
		},
	}
}

func build(t *testing.T, in plan.Input) *plan.Plan {
	t.Helper()
	p, err := plan.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGolden(t *testing.T) {
	for name, change := range map[string]func(*plan.Input){
		"normal":   func(*plan.Input) {},
		"lockdown": func(in *plan.Input) { in.Policy.Mode, in.Policy.Network = plan.Lockdown, plan.NetworkNone },
		"old": func(in *plan.Input) {
			in.Facts.Kernel.LandlockABI, in.Facts.Kernel.CgroupNS, in.Facts.Owner = 0, false, plan.Owner{}
		},
	} {
		p := build(t, func() plan.Input { in := input(); change(&in); return in }())
		var text, json bytes.Buffer
		if err := errors.Join(p.WriteText(&text, []string{"a line about the filter"}, plan.Style{Aligned: true}), p.WriteJSON(&json, nil)); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".txt", text.Bytes())
		golden(t, name+".json", json.Bytes())
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; look at it with -update and git diff:\n%s", file, got)
	}
}

// The same input, in whatever order its parts come, gives the same bytes.
func TestReproducible(t *testing.T) {
	var first string
	for i := range 20 {
		in := input()
		rand.New(rand.NewSource(int64(i))).Shuffle(len(in.Facts.System), func(a, b int) {
			s := in.Facts.System
			s[a], s[b] = s[b], s[a]
		})
		var b bytes.Buffer
		build(t, in).WriteText(&b, nil, plan.Style{})
		if first == "" {
			first = b.String()
		}
		if b.String() != first {
			t.Fatalf("run %d differs:\n%s\n%s", i, b.String(), first)
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(*plan.Input){
		"mount_setattr":         func(in *plan.Input) { in.Facts.Kernel.MountAPI = false },
		"seccomp":               func(in *plan.Input) { in.Facts.Kernel.Seccomp = false },
		"outside the project":   func(in *plan.Input) { in.Command.Cwd = "/home/u/proj-evil" },
		"way out of the jail":   func(in *plan.Input) { in.Facts.Stdio[1].Type = plan.Directory },
		"strict: this kernel":   func(in *plan.Input) { in.Policy.Strict, in.Facts.Kernel.LandlockABI = true, 1 },
		"strict: the number of": func(in *plan.Input) { in.Policy.Strict, in.Facts.Owner.UID = true, 0 },
	} {
		in := input()
		change(&in)
		_, err := plan.Build(in)
		var r *plan.Refusal
		if !errors.As(err, &r) || !strings.Contains(r.Cause, want) {
			t.Errorf("want a refusal about %q, got %v", want, err)
		}
	}
}

// Whatever is asked for, nothing is writable in lockdown but what is in memory.
func TestLockdownWritesNothing(t *testing.T) {
	in := input()
	in.Policy.Mode = plan.Lockdown
	in.Facts.Caches = nil // lockdown has none
	for _, m := range build(t, in).Mounts {
		if m.Kind == plan.Bind && !m.ReadOnly && !m.Device || m.Kind == plan.Pin && !m.ReadOnly {
			t.Errorf("%s %q is writable", m.Kind, m.Destination)
		}
	}
}

// What hides comes after what it lies in, wherever the project is: on a
// temporary file system, in the home, or in a system directory.
func TestHidesAfterBinds(t *testing.T) {
	for _, root := range []string{"/tmp/p", "/usr/src/p", "/dev/shm/p", "/home/u/a/b", "/srv/p"} {
		in := input()
		in.Root.Path, in.Root.As, in.Command.Cwd = root, root, root
		in.Found.Pins = nil
		for i := range in.Found.Hits {
			in.Found.Hits[i].Path = root + "/" + filepath.Base(in.Found.Hits[i].Path)
		}
		bound := false
		for _, m := range build(t, in).Mounts {
			switch {
			case m.Kind == plan.Bind && m.Destination == root:
				bound = true
			case m.Destination == root+"/.env" && !bound:
				t.Errorf("%s: the mask comes before the project", root)
			case bound && plan.Below(root, m.Destination) && m.Destination != root:
				t.Errorf("%s: %q comes later and hides it", root, m.Destination)
			}
		}
	}
}

func TestNothingBelowHidden(t *testing.T) {
	in := input()
	in.Facts.Caches[0].Destination = "/home/u/proj/secrets/npm"
	for _, m := range build(t, in).Mounts {
		if strings.HasPrefix(m.Destination, "/home/u/proj/secrets/") {
			t.Errorf("%q lies below a denied directory", m.Destination)
		}
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*plan.Plan){
		"not an absolute path": func(p *plan.Plan) { p.Process.Path = "npm" },
		"not even its name":    func(p *plan.Plan) { p.Process.Args = nil },
		"zero byte":            func(p *plan.Plan) { p.Process.Env = []string{"A=\x00"} },
		"clean absolute":       func(p *plan.Plan) { p.Mounts[3].Destination += "/../x" },
		"never looked at": func(p *plan.Plan) {
			p.Mounts[len(p.Mounts)-1] = plan.Mount{Kind: plan.Bind, Source: "/a", Destination: "/zzz"}
		},
		"would hide it":     func(p *plan.Plan) { p.Mounts = append(p.Mounts, p.Mounts[1]) },
		"is there twice":    func(p *plan.Plan) { p.Mounts = append(p.Mounts, p.Mounts[len(p.Mounts)-1]) },
		"a link to nothing": func(p *plan.Plan) { p.Mounts = append(p.Mounts, plan.Mount{Kind: plan.Link, Destination: "/zzz"}) },
		"the jail's own":    func(p *plan.Plan) { p.Mounts = append(p.Mounts, plan.Mount{Kind: plan.Dir, Destination: "/.jail/x"}) },
		"source \"x\" is not a": func(p *plan.Plan) {
			p.Mounts = append(p.Mounts, plan.Mount{Kind: plan.Bind, Source: "x", Destination: "/zzz"})
		},
	} {
		p := build(t, input())
		change(p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestLandlockCoversMounts(t *testing.T) {
	p := build(t, input())
	for _, m := range p.Mounts {
		if m.Kind != plan.Bind {
			continue
		}
		granted := false
		for _, r := range p.Landlock.Rules {
			granted = granted || r.Path != "/" && r.Path != "" && plan.Below(m.Destination, r.Path)
		}
		if !granted {
			t.Errorf("no rule for %q", m.Destination)
		}
	}
	for _, r := range p.Landlock.Rules {
		if r.Access == plan.AccessWrite && (r.Path == "/" || r.Path == "/usr" || r.Path == "/etc") {
			t.Errorf("%q is writable", r.Path)
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		path, dir string
		want      bool
	}{
		{"/x/proj", "/x/proj", true},
		{"/x/proj/a", "/x/proj", true},
		{"/x/proj-evil", "/x/proj", false},
		{"/x", "/x/proj", false},
		{"/x", "/", true},
	} {
		if got := plan.Below(c.path, c.dir); got != c.want {
			t.Errorf("Below(%q, %q) = %v", c.path, c.dir, got)
		}
	}
}

// A name can hold anything, but what is printed of it stays on its line.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "a b", "a\nnote  x", "\x1b[31m", "\xff", "\u202e", "é", `a"b`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := plan.Quote(s)
		for _, r := range q {
			if r < ' ' || r == 0x7f || r == 0x202e || r == 0x9b || r == 0xfffd && !strings.Contains(s, "\ufffd") {
				t.Fatalf("Quote(%q) = %q", s, q)
			}
		}
	})
}

func FuzzComparePaths(f *testing.F) {
	f.Add("/a/b", "/a-b", "/a")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		a, b, c = filepath.Clean("/"+a), filepath.Clean("/"+b), filepath.Clean("/"+c)
		ab, ba := plan.ComparePaths(a, b), plan.ComparePaths(b, a)
		if (ab < 0) != (ba > 0) || (ab == 0) != (a == b) {
			t.Fatalf("%q %q: %d and %d", a, b, ab, ba)
		}
		if a != b && plan.Below(b, a) && ab >= 0 {
			t.Fatalf("%q lies below %q and comes first", b, a)
		}
		if ab < 0 && plan.ComparePaths(b, c) < 0 && plan.ComparePaths(a, c) >= 0 {
			t.Fatalf("not an order: %q %q %q", a, b, c)
		}
	})
}
