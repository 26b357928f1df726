package confine

import (
	"runtime"
	"slices"
	"testing"

	"jail/internal/sandbox/plan"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// TestSecondOpinion has go-seccomp-bpf assemble the calls that are refused by name and
// compares number by number. Its assembler takes no architecture but the one it runs
// on. Three differences are known and are why it does not make our filters; each is
// checked, so that the day it disappears is noticed.
func TestSecondOpinion(t *testing.T) {
	table, audit := tableOf(runtime.GOARCH)
	for _, f := range flavours() {
		if f.goarch != runtime.GOARCH {
			continue
		}
		ours, theirs := assemble(t, f.s, f.goarch), libraryProgram(t, f.s)
		for nr := range uint32(1100) {
			c := call{arch: audit, nr: nr}
			name, known := table.SyscallNumbers[int(nr)]
			want := theirs.judge(t, c)
			switch {
			case !known:
				if want != allowed {
					t.Errorf("%d: the library no longer allows what it does not know", nr)
				}
				want = errno(unix.ENOSYS)
			case looksAtArguments(f.s, name):
				continue // not said by name
			}
			if have := ours.judge(t, c); have != want {
				t.Errorf("%v, %d %s: have %v, the library says %v", f, nr, name, have, want)
			}
		}
		if runtime.GOARCH == "amd64" {
			if v := theirs.judge(t, call{arch: auditI386, nr: 26}); v != allowed {
				t.Errorf("the library now judges i386: %v", v)
			}
			if v := theirs.judge(t, call{arch: audit, nr: 521}); v != allowed {
				t.Errorf("the library now judges x32 without its bit: %v", v)
			}
		}
	}
}

// libraryProgram makes two groups, by errno, of the names that the naive reading
// refuses.
func libraryProgram(t *testing.T, s plan.Seccomp) program {
	t.Helper()
	groups := []seccomp.SyscallGroup{
		{Action: seccomp.ActionErrno | seccomp.Action(unix.EPERM)},
		{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)},
	}
	table, _ := tableOf(runtime.GOARCH)
	for name := range table.SyscallNames {
		v, refused := naiveNames(s, name)
		if !refused {
			continue
		}
		i := 0
		if v == errno(unix.ENOSYS) {
			i = 1
		}
		groups[i].Names = append(groups[i].Names, name)
	}
	for i := range groups {
		slices.Sort(groups[i].Names)
	}
	policy := seccomp.Policy{DefaultAction: seccomp.ActionAllow, Syscalls: groups}
	ins, err := policy.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	vm, err := bpf.NewVM(ins)
	if err != nil {
		t.Fatal(err)
	}
	return program{vm: vm}
}
