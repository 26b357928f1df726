package launch_test

import (
	"math/rand/v2"
	"testing"

	"jail/internal/sandbox/launch"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A choice is where a generator takes its numbers from: what the fuzzer wrote, so that
// it learns which choices lead to something new.
type choice struct {
	data []byte
	rest rand.Source // where that has ended: it may be asked until it says something else
}

// Uint64 takes a byte and spreads it, since what is picked from few things is picked
// by the upper bits.
func (c *choice) Uint64() uint64 {
	if len(c.data) == 0 {
		return c.rest.Uint64()
	}
	b := c.data[0]
	c.data = c.data[1:]
	return uint64(b) * 0x0101010101010101
}

// Whatever plan the fuzzer comes up with, checked or damaged, making the jail writes
// nothing outside, leaves nothing behind, and ends with a status or an error.
func FuzzLaunch(f *testing.F) {
	for _, seed := range []string{"", "\x00\x80", "a plan", "another, damaged\xff\xfe\xfd", "\x10\x20\x30\x40\x50\x60\x70\x80\x90\xa0\xb0\xc0"} {
		f.Add([]byte(seed), len(seed)%2 == 1)
	}
	f.Fuzz(func(t *testing.T, data []byte, damaged bool) {
		g := newGenerator(t, &choice{data, rand.NewPCG(1, 2)})
		p, err := plan.Build(g.input())
		if err != nil {
			return
		}
		if damaged {
			g.damage(p)
		}
		before := hostView(g.host, p)
		r, err := launch.Run(p)
		switch {
		case err == nil && r.Signal == unix.SIGKILL:
			t.Errorf("%+v", r)
		case err != nil && !damaged && !wanted(err):
			t.Error(err)
		}
		if now := hostView(g.host, p); now != before {
			t.Errorf("changed\n%s\nplan: %s", changedLines(before, now), describe(p))
		}
		if pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); err != unix.ECHILD {
			t.Errorf("a child is left: %d, %v", pid, err)
		}
	})
}
