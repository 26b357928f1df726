package plan_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"
)

// The table of facts: what is lost on a host that lacks something, and what happens
// then. A refusal ends with 125 and a hint; a note is in every dry run and refused by
// strict; and nothing is ever lost without one of them. No user namespaces, and a
// fresh /proc that is refused, show when the jail is made: cmd/jail/testdata/
// refuse_kernel.txtar.
func TestFacts(t *testing.T) {
	terminal := func(in *plan.Input) { in.Facts.Stdio[0] = plan.Descriptor{Type: plan.CharDevice, Terminal: true} }
	for _, c := range []struct {
		name    string
		lower   func(in *plan.Input)
		refusal string
		notes   []string
		check   func(p *plan.Plan) error
	}{
		{name: "everything", lower: func(*plan.Input) {}, check: func(p *plan.Plan) error {
			if p.Landlock == nil || !p.Landlock.ScopeSignals || !p.Landlock.ScopeSockets || p.Seccomp.RefuseKillZero {
				return errors.New("Landlock is not what it can be")
			}
			return nil
		}},
		{name: "no mount API", lower: func(in *plan.Input) { in.Facts.Kernel.MountAPI = false }, refusal: "mount_setattr"},
		{name: "no seccomp", lower: func(in *plan.Input) { in.Facts.Kernel.Seccomp = false }, refusal: "seccomp"},
		{name: "no openat2", lower: func(in *plan.Input) { in.Facts.Kernel.Openat2 = false }, notes: []string{"openat2"}},
		{name: "no close_range", lower: func(in *plan.Input) { in.Facts.Kernel.CloseRange = false }},
		{name: "no cgroup namespace", lower: func(in *plan.Input) { in.Facts.Kernel.CgroupNS = false }, notes: []string{"cgroup namespace"}, check: func(p *plan.Plan) error {
			if slices.Contains(p.Namespaces, plan.CgroupNS) {
				return errors.New("it asks for one")
			}
			return nil
		}},
		{name: "no Landlock", lower: func(in *plan.Input) { in.Facts.Kernel.LandlockABI = 0; terminal(in) }, notes: []string{"Landlock", "abstract sockets"}, check: withoutLandlock},
		{name: "ABI 1", lower: func(in *plan.Input) { in.Facts.Kernel.LandlockABI = 1; terminal(in) }, notes: []string{"Landlock", "abstract sockets"}, check: withoutLandlock},
		{name: "ABI 2", lower: abi(2, terminal), notes: []string{"abstract sockets"}, check: withABI(2)},
		{name: "ABI 3", lower: abi(3, terminal), notes: []string{"abstract sockets"}, check: withABI(3)},
		{name: "ABI 4", lower: abi(4, terminal), notes: []string{"abstract sockets"}, check: withABI(4)},
		{name: "ABI 5", lower: abi(5, terminal), notes: []string{"abstract sockets"}, check: withABI(5)},
		{name: "ABI 6", lower: abi(6, terminal), check: withABI(6)},
		{name: "ABI 2 without a network", lower: func(in *plan.Input) {
			in.Facts.Kernel.LandlockABI, in.Policy.Network = 2, plan.NetworkNone
		}},
		{name: "root", lower: func(in *plan.Input) { in.Facts.Owner = plan.Owner{} }, notes: []string{"number of processes"}},
	} {
		in := input()
		c.lower(&in)
		p, err := plan.Build(in)
		var refused *plan.Refusal
		switch {
		case c.refusal != "":
			if !errors.As(err, &refused) || !strings.Contains(refused.Cause, c.refusal) || refused.Hint == "" {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(p.Notes) != len(c.notes) {
			t.Errorf("%s: notes %v", c.name, p.Notes)
		}
		for i, want := range c.notes {
			if i < len(p.Notes) && !strings.Contains(p.Notes[i].Text, want) {
				t.Errorf("%s: note %q", c.name, p.Notes[i].Text)
			}
		}
		if c.check != nil {
			if err := c.check(p); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		in.Policy.Strict = true
		if _, err := plan.Build(in); errors.As(err, &refused) != (len(c.notes) > 0) {
			t.Errorf("%s, strict: %v", c.name, err)
		}
	}
}

func abi(n int, more func(*plan.Input)) func(*plan.Input) {
	return func(in *plan.Input) {
		in.Facts.Kernel.LandlockABI = n
		more(in)
	}
}

// withoutLandlock: what Landlock's scope would have done at a terminal, seccomp does.
func withoutLandlock(p *plan.Plan) error {
	if p.Landlock != nil || !p.Seccomp.RefuseKillZero {
		return fmt.Errorf("Landlock %+v, kill(0) refused: %t", p.Landlock, p.Seccomp.RefuseKillZero)
	}
	return nil
}

func withABI(n int) func(p *plan.Plan) error {
	return func(p *plan.Plan) error {
		l := p.Landlock
		if l == nil || l.ABI != n || l.ScopeSignals != (n >= 6) || l.ScopeSockets != (n >= 6) || p.Seccomp.RefuseKillZero != (n < 6) {
			return fmt.Errorf("Landlock %+v, kill(0) refused: %t", l, p.Seccomp.RefuseKillZero)
		}
		return nil
	}
}
