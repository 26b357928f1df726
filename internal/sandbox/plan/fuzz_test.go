package plan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// A tape hands out what a fuzzer wrote, and zeros behind its end.
type tape struct{ b []byte }

func (t *tape) next(n int) int {
	if len(t.b) == 0 {
		return 0
	}
	c := int(t.b[0])
	t.b = t.b[1:]
	return c % n
}

func (t *tape) is() bool { return t.next(2) == 1 }

// path makes one below a place that matters, of few names, so that paths meet.
func (t *tape) path() string {
	p := []string{"/home/u/proj", "/home/u/proj", "/home/u", "/usr", "/etc", "/tmp", "/srv", "/home", "/proc", "/dev", "/run", ""}[t.next(12)]
	for range t.next(4) {
		p += "/" + []string{"a", "b", ".env", "a b", "x\nfile", "secrets", "..a"}[t.next(7)]
	}
	if p == "" {
		return "/x"
	}
	return p
}

func (t *tape) id() plan.ID { return plan.ID{Dev: 1, Ino: uint64(1 + t.next(200))} }

func (t *tape) kind() plan.Type {
	return []plan.Type{plan.Directory, plan.Regular, plan.Symlink, plan.Socket}[t.next(4)]
}

func (t *tape) source(kind plan.Type) plan.Source {
	s := plan.Source{Path: t.path(), Type: kind, ID: t.id()}
	if kind == plan.Symlink {
		s.Link = t.path()
	}
	return s
}

// madeUp changes a plain input by what is on the tape.
func madeUp(t *tape) plan.Input {
	in := input()
	p := &in.Policy
	p.Mode = []plan.Mode{plan.Normal, plan.Worker, plan.Lockdown}[t.next(3)]
	p.Network = []plan.Network{plan.NetworkHost, plan.NetworkNone}[t.next(2)]
	p.GPU, p.NoLandlock, p.UserNS, p.Nested, p.Ptrace = t.is(), t.is(), t.is(), t.is(), t.is()
	f := &in.Facts
	f.Kernel.LandlockABI, f.Kernel.CgroupNS, f.Kernel.Openat2 = t.next(9), t.is(), t.is()
	f.Owner.UID = uint32(t.next(2) * 1000)
	in.Root.UID = f.Owner.UID
	for range t.next(5) {
		f.Tools = append(f.Tools, plan.Need{Source: t.source(t.kind()), Reason: plan.Reason{Layer: "toolchain", Text: "x\nfile"}})
	}
	for range t.next(5) {
		f.Caches = append(f.Caches, plan.Cache{Destination: t.path(), Source: plan.Source{Path: "/home/u/.local/share/jail/x", Type: plan.Directory, ID: t.id()}, Type: plan.Directory, Backing: plan.CacheProject, Reason: plan.Reason{Layer: "preset"}})
	}
	for range t.next(5) {
		kind := []plan.Type{plan.Directory, plan.Regular, plan.Socket}[t.next(3)]
		f.Maps = append(f.Maps, plan.HostMap{Source: t.source(kind), Destination: t.path(), ReadOnly: t.is(), Reason: plan.Reason{Layer: "flag", Text: "--rw"}})
	}
	for range t.next(4) {
		f.Settings = append(f.Settings, plan.Copy{Destination: t.path(), Data: []byte("x"), Left: []string{"y\nz"}})
	}
	in.Found.Hits, in.Found.Pins = nil, nil
	for range t.next(8) {
		in.Found.Hits = append(in.Found.Hits, plan.Hit{
			Path: "/home/u/proj/" + strings.TrimPrefix(t.path(), "/"), Type: []plan.Type{plan.Directory, plan.Regular}[t.next(2)], ID: t.id(),
			Action: []plan.Action{plan.ActMask, plan.ActDeny}[t.next(2)], Pattern: "p\nfile",
		})
	}
	for range t.next(4) {
		in.Found.Pins = append(in.Found.Pins, plan.Pinned{Source: plan.Source{Path: "/home/u/proj/" + strings.TrimPrefix(t.path(), "/"), Type: plan.Directory, ID: t.id()}, ReadOnly: t.is()})
	}
	return in
}

// Whatever is asked for: a plan that Build makes is one that Validate passes, prints
// the same twice, hides what is to be hidden, writes nothing on the host in lockdown
// but what a flag says, and forges no line.
func FuzzBuild(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 1, 0, 0, 0, 0, 7, 1, 1, 1, 2, 0, 3, 1, 2, 3})
	f.Add(bytes.Repeat([]byte{1}, 80))
	f.Add(bytes.Repeat([]byte{3, 1, 4, 1, 5, 9, 2, 6}, 30))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := madeUp(&tape{b})
		p, err := plan.Build(in)
		var refused *plan.Refusal
		if errors.As(err, &refused) {
			return
		}
		if err != nil {
			t.Fatalf("%v\n%+v", err, in)
		}
		checkHidden(t, in, p)
		checkOrder(t, p)
		checkPrinted(t, in, p)
		if in.Policy.Mode == plan.Lockdown {
			checkLockdown(t, p)
		}
	})
}

func checkHidden(t *testing.T, in plan.Input, p *plan.Plan) {
	for _, h := range in.Found.Hits {
		if e := p.Explain(h.Path); e.Shown {
			t.Errorf("%q is to be hidden, and %s: %+v", h.Path, e.Access, e.Mount)
		}
		if e := p.Explain(h.Path + "/below"); e.Shown {
			t.Errorf("below %q: %s: %+v", h.Path, e.Access, e.Mount)
		}
	}
	if in.Policy.NoLandlock && p.Landlock != nil || p.Landlock != nil && p.Landlock.ABI > in.Facts.Kernel.LandlockABI {
		t.Errorf("Landlock %+v", p.Landlock)
	}
}

func checkOrder(t *testing.T, p *plan.Plan) {
	for i := 1; i < len(p.Mounts); i++ {
		if plan.ComparePaths(p.Mounts[i-1].Destination, p.Mounts[i].Destination) > 0 {
			t.Errorf("%q comes after %q", p.Mounts[i].Destination, p.Mounts[i-1].Destination)
		}
	}
}

func checkPrinted(t *testing.T, in plan.Input, p *plan.Plan) {
	again, err := plan.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	var a, b, j bytes.Buffer
	if err := errors.Join(p.WriteText(&a, nil, plan.Style{}), again.WriteText(&b, nil, plan.Style{Aligned: false}), p.WriteJSON(&j, nil)); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("two plans of one input differ:\n%s\n%s", a.String(), b.String())
	}
	if !json.Valid(j.Bytes()) {
		t.Error("the JSON is none")
	}
	files := 0
	for i := range p.Mounts {
		if k := p.Mounts[i].Kind; k != plan.Mask && k != plan.Deny {
			files++
		}
	}
	if got := strings.Count("\n"+a.String(), "\nfile  "); got != files {
		t.Errorf("%d lines for %d mounts:\n%s", got, files, a.String())
	}
}

func checkLockdown(t *testing.T, p *plan.Plan) {
	for _, m := range p.Mounts {
		host := m.Kind == plan.Bind || m.Kind == plan.Pin
		if host && !m.ReadOnly && !m.Device && m.Type != plan.Socket && m.Reason.Layer != "flag" && m.Reason.Layer != "preset" {
			t.Errorf("%s %q is writable", m.Kind, m.Destination)
		}
	}
}
