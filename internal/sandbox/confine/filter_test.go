package confine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A flavour is one filter that can be asked for.
type flavour struct {
	s      plan.Seccomp
	goarch string
}

func (f flavour) String() string { return fmt.Sprintf("%s %s", f.goarch, flags(f.s)) }

// flags names what is set in s.
func flags(s plan.Seccomp) string {
	text := ""
	for _, f := range []struct {
		set  bool
		name string
	}{
		{s.UserNamespaces, "UserNamespaces"},
		{s.Mounts, "Mounts"},
		{s.RefuseKillZero, "RefuseKillZero"},
		{s.SetGroupID, "SetGroupID"},
		{s.Ptrace, "Ptrace"},
	} {
		if f.set {
			text += " " + f.name
		}
	}
	if text == "" {
		return "strictest"
	}
	return text[1:]
}

// flavours are all filters there are.
func flavours() []flavour {
	var all []flavour
	for _, goarch := range []string{"amd64", "arm64"} {
		for i := range 32 {
			s := plan.Seccomp{UserNamespaces: i&1 != 0, Mounts: i&2 != 0, RefuseKillZero: i&4 != 0, SetGroupID: i&8 != 0, Ptrace: i&16 != 0}
			if !s.Mounts || s.UserNamespaces {
				all = append(all, flavour{s, goarch})
			}
		}
	}
	return all
}

func eachFlavour(t *testing.T, test func(*testing.T, flavour, program)) {
	for _, f := range flavours() {
		t.Run(f.String(), func(t *testing.T) { test(t, f, assemble(t, f.s, f.goarch)) })
	}
}

func TestFilterRefusesWhatItCannotMake(t *testing.T) {
	if _, err := Filter(plan.Seccomp{}, "riscv64"); err == nil {
		t.Error("a filter for riscv64, for which there is no table")
	}
	if _, err := Filter(plan.Seccomp{Mounts: true}, "amd64"); err == nil {
		t.Error("a filter that allows mounts and no namespace")
	}
}

// TestEveryNumber compares each filter with the naive reading for all numbers that
// mean anything, and around them, by every gate into the kernel.
func TestEveryNumber(t *testing.T) {
	eachFlavour(t, func(t *testing.T, f flavour, p program) {
		rnd := rand.New(rand.NewPCG(1, 2))
		for _, gate := range []uint32{auditAMD64, auditI386, auditARM64, auditARM, 0, ^uint32(0)} {
			for i, nr := range numbersToTry() {
				if _, native := tableOf(f.goarch); gate != native && i%16 > 0 {
					continue // the number is not even looked at
				}
				for _, c := range []call{{arch: gate, nr: nr}, {gate, nr, randomArguments(rnd)}} {
					if have, want := p.judge(t, c), naive(f.s, f.goarch, c); have != want {
						t.Fatalf("%#v: have %v, want %v", c, have, want)
					}
				}
			}
		}
	})
}

// numbersToTry are 0 to 1100 as they are, with the bit of x32, with the highest bit,
// and counted down from the end.
func numbersToTry() []uint32 {
	var all []uint32
	for n := range uint32(1100) {
		all = append(all, n, x32Bit|n, 1<<31|n, ^n)
	}
	return all
}

// randomArguments draws from what means something somewhere, since a random word
// means nothing anywhere.
func randomArguments(rnd *rand.Rand) (args [6]uint64) {
	words := []uint64{
		0, 1, 2, 3, 8, 10, 16, 40, 256, 0x5412, 0x541C, 0x5423, 0x20000, 0x20008, 0xFFFFFFFF, 0x80,
		0x7E020080, 0x10000000, 17, 0o4755, 0o2755, 0o644, 0o100, 0o20000000, 0o20644, 0o60644, 0o10644,
	}
	for i := range args {
		args[i] = words[rnd.IntN(len(words))]
		if rnd.IntN(2) == 0 {
			args[i] |= uint64(rnd.Uint32()) << 32
		}
	}
	return args
}

// TestForeignGates is what the naive reading says of them, said once more in plain
// numbers: the attack, and that the same number is fine by the native gate.
func TestForeignGates(t *testing.T) {
	p := assemble(t, plan.Seccomp{}, "amd64")
	arm := assemble(t, plan.Seccomp{}, "arm64")
	for _, test := range []struct {
		what string
		p    program
		c    call
		want verdict
	}{
		{"i386 ptrace is 26, msync of amd64", p, call{arch: auditI386, nr: 26}, errno(unix.ENOSYS)},
		{"amd64 msync", p, call{arch: auditAMD64, nr: 26}, allowed},
		{"i386 keyctl is 288, accept4 of amd64", p, call{arch: auditI386, nr: 288}, errno(unix.ENOSYS)},
		{"i386 socketcall is 102, getuid of amd64", p, call{arch: auditI386, nr: 102}, errno(unix.ENOSYS)},
		{"x32 ptrace", p, call{arch: auditAMD64, nr: x32Bit | 521}, errno(unix.ENOSYS)},
		{"x32 keyctl", p, call{arch: auditAMD64, nr: x32Bit | 250}, errno(unix.ENOSYS)},
		{"x32 read, the first number", p, call{arch: auditAMD64, nr: x32Bit}, errno(unix.ENOSYS)},
		{"x32 ptrace without its bit, before Linux 5.4", p, call{arch: auditAMD64, nr: 521}, errno(unix.ENOSYS)},
		{"number -1", p, call{arch: auditAMD64, nr: ^uint32(0)}, errno(unix.ENOSYS)},
		{"the newest number that is known", p, call{arch: auditAMD64, nr: 466}, allowed},
		{"one that is newer than the table", p, call{arch: auditAMD64, nr: 468}, errno(unix.ENOSYS)},
		{"one in the gap before 424", p, call{arch: auditAMD64, nr: 400}, errno(unix.ENOSYS)},
		{"arm ptrace is 26, inotify_init1 of arm64", arm, call{arch: auditARM, nr: 26}, errno(unix.ENOSYS)},
		{"arm64 inotify_init1", arm, call{arch: auditARM64, nr: 26}, allowed},
		{"amd64 on arm64", arm, call{arch: auditAMD64, nr: 0}, errno(unix.ENOSYS)},
		{"newer than the table on arm64", arm, call{arch: auditARM64, nr: 468}, errno(unix.ENOSYS)},
	} {
		if have := test.p.judge(t, test.c); have != test.want {
			t.Errorf("%s: have %v, want %v", test.what, have, test.want)
		}
	}
}

// TestShape checks what the kernel checks when it installs a filter, and that only
// low halves of arguments are looked at.
func TestShape(t *testing.T) {
	eachFlavour(t, func(t *testing.T, _ flavour, p program) {
		if n := len(p.raw); n >= 4096 {
			t.Errorf("%d instructions", n)
		}
		for i, f := range p.raw {
			last := i
			switch f.Code {
			case unix.BPF_RET | unix.BPF_K:
				continue
			case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
				if number, gate, low := f.K == 0, f.K == 4, f.K >= 16 && f.K < 64 && f.K%8 == 0; !number && !gate && !low {
					t.Errorf("instruction %d loads from %d", i, f.K)
				}
				last = i + 1
			case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
				last = i + 1
			case unix.BPF_JMP | unix.BPF_JA:
				last = i + 1 + int(f.K)
			default:
				last = i + 1 + int(max(f.Jt, f.Jf))
			}
			if last <= i || last >= len(p.raw) {
				t.Errorf("instruction %d of %d continues at %d", i, len(p.raw), last)
			}
		}
	})
}

// TestAlwaysAllowedIsForeseen checks that a call which is allowed whatever its
// arguments is allowed before the filter looks at one, because the kernel then stops
// running the filter for it.
func TestAlwaysAllowedIsForeseen(t *testing.T) {
	eachFlavour(t, func(t *testing.T, f flavour, p program) {
		table, audit := tableOf(f.goarch)
		for nr, name := range table.SyscallNumbers {
			n, looks := p.steps(call{arch: audit, nr: uint32(nr)})
			if looks != looksAtArguments(f.s, name) {
				t.Errorf("%s: looks at arguments: %v", name, looks)
			}
			if n > 20 {
				t.Errorf("%s takes %d instructions", name, n)
			}
		}
	})
}

func looksAtArguments(s plan.Seccomp, name string) bool {
	switch name {
	case "ioctl", "socket", "socketpair", "personality", "pipe2", "setpriority", "ioprio_set":
		return true
	case "kill":
		return s.RefuseKillZero
	case "clone":
		return !s.UserNamespaces
	case "chmod", "fchmod", "fchmodat", "fchmodat2", "open", "openat", "creat", "mknod", "mknodat":
		return !s.Mounts
	}
	return false
}

func TestDescribe(t *testing.T) {
	strict, loose := Describe(plan.Seccomp{}), Describe(plan.Seccomp{UserNamespaces: true})
	if len(strict) != 4 || len(loose) != 4 {
		t.Fatalf("%d and %d lines, want 4", len(strict), len(loose))
	}
	if fmt.Sprint(strict) == fmt.Sprint(loose) {
		t.Error("allowing namespaces does not change what is said")
	}
	strict[0] = "changed"
	if Describe(plan.Seccomp{})[0] == "changed" {
		t.Error("a caller can change what is said to the next one")
	}
}
