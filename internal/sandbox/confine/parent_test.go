package confine

import (
	"testing"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// TestParentLooksAlive tries all that differs from the one question that is answered:
// it is judged as without.
func TestParentLooksAlive(t *testing.T) {
	const parent = 4242
	eachFlavour(t, func(t *testing.T, f flavour, without program) {
		s := f.s
		s.Parent = parent
		with := assemble(t, s, f.goarch)
		_, native := tableOf(f.goarch)
		_, kill := killNumbers(f.goarch)
		table, _ := tableOf(f.goarch)
		if table.SyscallNumbers[int(kill)] != "kill" {
			t.Fatalf("%d is %s", kill, table.SyscallNumbers[int(kill)])
		}
		ask := call{arch: native, nr: kill, args: [6]uint64{parent, 0}}
		if v := with.judge(t, ask); v != errno(0) {
			t.Errorf("signal 0 to the parent: %v", v)
		}
		high := ask
		high.args = [6]uint64{1<<32 | parent, 1 << 32}
		if v := with.judge(t, high); v != errno(0) {
			t.Errorf("the kernel reads low halves only, and %v", v)
		}
		for name, c := range map[string]call{
			"another signal":      {native, kill, [6]uint64{parent, 9}},
			"another process":     {native, kill, [6]uint64{parent + 1, 0}},
			"the group":           {native, kill, [6]uint64{0, 0}},
			"the parent's group":  {native, kill, [6]uint64{1<<64 - parent, 0}},
			"another call":        {native, kill + 1, [6]uint64{parent, 0}},
			"x32's":               {native, kill | x32Bit, [6]uint64{parent, 0}},
			"another processor's": {auditI386, kill, [6]uint64{parent, 0}},
		} {
			if got, want := with.judge(t, c), without.judge(t, c); got != want {
				t.Errorf("%s: %v, and %v without", name, got, want)
			}
		}
		if _, arguments := with.steps(call{arch: native, nr: kill + 1}); arguments != argumentsOf(without, native, kill+1) {
			t.Error("the kernel cannot tell beforehand any more what is allowed")
		}
	})
}

func argumentsOf(p program, arch, nr uint32) bool {
	_, arguments := p.steps(call{arch: arch, nr: nr})
	return arguments
}

func TestNoParentNoPrefix(t *testing.T) {
	f, err := Filter(plan.Seccomp{}, "amd64")
	if err != nil || f[len(f)-1].Code != unix.BPF_RET|unix.BPF_K || &f[0] != &amd64.code[amd64.extents[0].from] {
		t.Errorf("not the filter as it was made: %v", err)
	}
}
