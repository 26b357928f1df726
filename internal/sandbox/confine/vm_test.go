package confine

import (
	"encoding/binary"
	"fmt"
	"testing"

	"jail/internal/sandbox/plan"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Architectures as seccomp_data names them. i386 and x32 enter a kernel for amd64,
// arm enters one for arm64.
const (
	auditAMD64 = 0xC000003E
	auditI386  = 0x40000003
	auditARM64 = 0xC00000B7
	auditARM   = 0x40000028

	x32Bit = 0x40000000
)

// A call is what a filter sees of a system call.
type call struct {
	arch uint32
	nr   uint32
	args [6]uint64
}

// packet lays c out as struct seccomp_data, one 32-bit word after another. A filter
// loads words in the byte order of the machine and the virtual machine loads them as
// a network does, so the words are written that way; which half of an argument comes
// first is little-endian, as on both architectures.
func (c call) packet() []byte {
	b := binary.BigEndian.AppendUint32(nil, c.nr)
	b = binary.BigEndian.AppendUint32(b, c.arch)
	b = append(b, make([]byte, 8)...) // instruction pointer
	for _, a := range c.args {
		b = binary.BigEndian.AppendUint32(b, uint32(a))
		b = binary.BigEndian.AppendUint32(b, uint32(a>>32))
	}
	return b
}

// A verdict is what a filter returns, in the words of seccomp_unotify(2).
type verdict uint32

func errno(e unix.Errno) verdict { return verdict(unix.SECCOMP_RET_ERRNO | uint32(e)) }

const allowed verdict = unix.SECCOMP_RET_ALLOW

func (v verdict) String() string {
	switch v & unix.SECCOMP_RET_ACTION_FULL {
	case unix.SECCOMP_RET_ALLOW:
		return "allowed"
	case unix.SECCOMP_RET_ERRNO:
		return unix.ErrnoName(unix.Errno(v & unix.SECCOMP_RET_DATA))
	}
	return fmt.Sprintf("%#x", uint32(v))
}

// A program is a filter that can be run.
type program struct {
	raw []unix.SockFilter
	vm  *bpf.VM
}

func assemble(t testing.TB, s plan.Seccomp, goarch string) program {
	t.Helper()
	raw, err := Filter(s, goarch)
	if err != nil {
		t.Fatal(err)
	}
	return newProgram(t, raw)
}

func newProgram(t testing.TB, raw []unix.SockFilter) program {
	t.Helper()
	ins := make([]bpf.Instruction, len(raw))
	for i, f := range raw {
		ins[i] = bpf.RawInstruction{Op: f.Code, Jt: f.Jt, Jf: f.Jf, K: f.K}.Disassemble()
		if _, unknown := ins[i].(bpf.RawInstruction); unknown {
			t.Fatalf("instruction %d is none: %#v", i, f)
		}
	}
	vm, err := bpf.NewVM(ins)
	if err != nil {
		t.Fatal(err)
	}
	return program{raw, vm}
}

func (p program) judge(t testing.TB, c call) verdict {
	t.Helper()
	v, err := p.vm.Run(c.packet())
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	return verdict(v)
}

// steps counts the instructions that run for c, by a second, smaller machine, and
// reports whether any of them looked at an argument.
func (p program) steps(c call) (n int, arguments bool) {
	data, acc := c.packet(), uint32(0)
	for pc := 0; ; pc++ {
		f := p.raw[pc]
		n++
		switch f.Code {
		case unix.BPF_RET | unix.BPF_K:
			return n, arguments
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			acc = binary.BigEndian.Uint32(data[f.K:])
			arguments = arguments || f.K >= 16
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			acc &= f.K
		case unix.BPF_JMP | unix.BPF_JA:
			pc += int(f.K)
		default:
			pc += taken(f, holds(f, acc))
		}
	}
}

func taken(f unix.SockFilter, yes bool) int {
	if yes {
		return int(f.Jt)
	}
	return int(f.Jf)
}
