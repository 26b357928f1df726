package gen

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// load makes a program runnable: the function returned runs it for one word.
func load(t *testing.T, program []unix.SockFilter) func(uint32) uint32 {
	t.Helper()
	var ins []bpf.Instruction
	for _, f := range program {
		ins = append(ins, bpf.RawInstruction{Op: f.Code, Jt: f.Jt, Jf: f.Jf, K: f.K}.Disassemble())
	}
	vm, err := bpf.NewVM(ins)
	if err != nil {
		t.Fatal(err)
	}
	return func(value uint32) uint32 {
		v, err := vm.Run(binary.BigEndian.AppendUint32(nil, value))
		if err != nil {
			t.Fatal(err)
		}
		return uint32(v)
	}
}

// TestFarJumps assembles programs many times longer than a conditional jump reaches:
// every number has an errno of its own, so that nothing can be shared.
func TestFarJumps(t *testing.T) {
	for _, size := range []uint32{2, 3, 100, 256, 300, 1000, 1500} {
		var leaves []leaf
		for n := range size {
			leaves = append(leaves, leaf{from: n, errno: unix.Errno(n + 1)})
		}
		var a assembler
		a.load(0, a.tree(leaves, plan.Seccomp{}))
		run := load(t, a.program())
		for n := range size {
			if have := run(n); have != unix.SECCOMP_RET_ERRNO|(n+1) {
				t.Fatalf("%d leaves: %d returns %#x", size, n, have)
			}
		}
		if have := run(^uint32(0)); have != unix.SECCOMP_RET_ERRNO|size {
			t.Errorf("%d leaves: the last number returns %#x", size, have)
		}
	}
}

// TestSharedEndsStayInReach assembles a long program that returns two values in turn.
func TestSharedEndsStayInReach(t *testing.T) {
	var leaves []leaf
	for n := range uint32(1200) {
		leaves = append(leaves, leaf{from: 2 * n, errno: unix.Errno(n % 2 * uint32(unix.EPERM))})
	}
	var a assembler
	a.load(0, a.tree(leaves, plan.Seccomp{}))
	run := load(t, a.program())
	for n := range uint32(2400) {
		want := uint32(unix.SECCOMP_RET_ALLOW)
		if n/2%2 == 1 {
			want = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		}
		if have := run(n); have != want {
			t.Fatalf("%d returns %#x, want %#x", n, have, want)
		}
	}
}

func TestPartition(t *testing.T) {
	eperm, judged := &rule{errno: unix.EPERM}, &rule{judge: typing}
	leaves := partition([]span{{0, 9}, {20, 29}}, []answer{{0, eperm}, {1, eperm}, {5, judged}, {6, judged}, {9, eperm}, {20, judged}})
	want := []leaf{
		{0, unix.EPERM, nil},
		{2, 0, nil},
		{5, 0, typing},
		{6, 0, typing},
		{7, 0, nil},
		{9, unix.EPERM, nil},
		{10, unix.ENOSYS, nil},
		{20, 0, typing},
		{21, 0, nil},
		{30, unix.ENOSYS, nil},
	}
	same := func(a, b leaf) bool {
		return a.from == b.from && a.errno == b.errno && (a.judge == nil) == (b.judge == nil)
	}
	if !slices.EqualFunc(leaves, want, same) {
		t.Errorf("have %v, want %v", leaves, want)
	}
}

// TestConstants compares what is written out in arguments.go, because it must be the
// same wherever the generator runs, with the package for the machine it runs on.
func TestConstants(t *testing.T) {
	if all := uint32(unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME); all != cloneNew {
		t.Errorf("all flags for namespaces are %#x, not %#x", all, cloneNew)
	}
	if creating != unix.O_CREAT|unix.O_TMPFILE&^unix.O_DIRECTORY {
		t.Errorf("creating is %#x", creating)
	}
	if unix.TIOCSTI != 0x5412 || notificationPipe != 0x80 {
		t.Errorf("TIOCSTI %#x, O_NOTIFICATION_PIPE %#x", unix.TIOCSTI, notificationPipe)
	}
}

// TestTablesAgreeWithTheKernelsHeaders takes some numbers from the other package that
// has them, for the machine this runs on.
func TestTablesAgreeWithTheKernelsHeaders(t *testing.T) {
	for goarch, numbers := range map[string]map[string]int{
		"amd64": {"ptrace": 101, "keyctl": 250, "openat": 257, "clone3": 435, "open_tree_attr": 467},
		"arm64": {"ptrace": 117, "keyctl": 219, "openat": 56, "clone3": 435, "open_tree_attr": 467},
	} {
		m, err := machineOf(goarch)
		if err != nil {
			t.Fatal(err)
		}
		for name, n := range numbers {
			if m.table.SyscallNames[name] != n {
				t.Errorf("%s %s is %d, want %d", goarch, name, m.table.SyscallNames[name], n)
			}
		}
	}
}

func TestDescribeNamesEveryRule(t *testing.T) {
	all := strings.Join(Describe(plan.Seccomp{RefuseKillZero: true}), "\n")
	for i := range rules {
		r := &rules[i]
		if r.judge == nil == (r.errno == 0) || r.judge == nil == (r.text != "") {
			t.Errorf("%s: either an errno, or a judgement and a text", r.names)
		}
		for name := range strings.FieldsSeq(r.names) {
			if r.judge == nil && !strings.Contains(all, " "+name) {
				t.Errorf("%s is not described", name)
			}
		}
		if !strings.Contains(all, r.text) {
			t.Errorf("%q is not described", r.text)
		}
	}
	if strings.Contains(strings.Join(Describe(plan.Seccomp{UserNamespaces: true, Mounts: true}), "\n"), "mount") {
		t.Error("mounts are described as refused where they are allowed")
	}
}

func TestFilterNeedsATable(t *testing.T) {
	if _, err := Filter(plan.Seccomp{}, "mips"); err == nil {
		t.Error("a filter for mips")
	}
}
