package gen

import (
	"slices"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data. An argument has eight bytes; the low half comes
// first on the two architectures that there are tables for.
const (
	numberOffset   = 0
	archOffset     = 4
	argumentOffset = 16
)

// The instructions that are used. The kernel can foresee the outcome of these when
// it installs the filter.
const (
	opLoad    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	opAnd     = unix.BPF_ALU | unix.BPF_AND | unix.BPF_K
	opJump    = unix.BPF_JMP | unix.BPF_JA
	opEqual   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	opAtLeast = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	opAnyBit  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	opReturn  = unix.BPF_RET | unix.BPF_K
)

// reach is how many instructions a conditional jump can skip.
const reach = 255

// An assembler writes a program from its end to its beginning. All jumps of BPF go
// forward, so that every target is in place when the jump to it is written, and
// nothing has to be resolved later.
type assembler struct {
	code    []unix.SockFilter // the last instruction first
	returns []returns
}

// A place is where a piece of the program begins, counted from the program's end,
// so that it stays true while the program grows at its front.
type place int

// A returns remembers where the program last returned value, to jump there again.
type returns struct {
	value uint32
	at    place
}

// program returns what was written, from the last written instruction on.
func (a *assembler) program() []unix.SockFilter {
	p := slices.Clone(a.code)
	slices.Reverse(p)
	return p
}

func (a *assembler) emit(f unix.SockFilter) place {
	a.code = append(a.code, f)
	return place(len(a.code))
}

// skip returns how many instructions lie between the next one to be written and p.
func (a *assembler) skip(p place) int { return len(a.code) - int(p) }

// follow makes p the next instruction, by a jump where it is not.
func (a *assembler) follow(p place) place {
	if n := a.skip(p); n > 0 {
		return a.emit(unix.SockFilter{Code: opJump, K: uint32(n)})
	}
	return p
}

// near returns p, or a jump to it where p is too far for a conditional jump. Two is
// for the jump itself and for the one that the other way of the branch may need.
func (a *assembler) near(p place) place {
	if a.skip(p)+2 > reach {
		return a.emit(unix.SockFilter{Code: opJump, K: uint32(a.skip(p))})
	}
	return p
}

// ret ends the program with value, at an earlier end of that kind if one is near.
func (a *assembler) ret(value uint32) place {
	i := slices.IndexFunc(a.returns, func(r returns) bool { return r.value == value })
	if i < 0 {
		i = len(a.returns)
		a.returns = append(a.returns, returns{value: value})
	}
	r := &a.returns[i]
	if r.at == 0 || a.skip(r.at)+2 > reach {
		r.at = a.emit(unix.SockFilter{Code: opReturn, K: value})
	}
	return r.at
}

func (a *assembler) allow() place { return a.ret(unix.SECCOMP_RET_ALLOW) }

func (a *assembler) refuse(e unix.Errno) place {
	return a.ret(unix.SECCOMP_RET_ERRNO | uint32(e))
}

// load looks at four bytes of seccomp_data before next.
func (a *assembler) load(offset uint32, next place) place {
	a.follow(next)
	return a.emit(unix.SockFilter{Code: opLoad, K: offset})
}

// argument looks at the low 32 bits of argument i, from 0, before next.
func (a *assembler) argument(i uint32, next place) place {
	return a.load(argumentOffset+8*i, next)
}

// masked looks at the bits of mask in argument i before next.
func (a *assembler) masked(i, mask uint32, next place) place {
	a.follow(next)
	return a.argument(i, a.emit(unix.SockFilter{Code: opAnd, K: mask}))
}

func (a *assembler) equal(k uint32, yes, no place) place   { return a.branch(opEqual, k, yes, no) }
func (a *assembler) atLeast(k uint32, yes, no place) place { return a.branch(opAtLeast, k, yes, no) }
func (a *assembler) anyBit(k uint32, yes, no place) place  { return a.branch(opAnyBit, k, yes, no) }

// branch continues with yes or no.
func (a *assembler) branch(op uint16, k uint32, yes, no place) place {
	yes, no = a.near(yes), a.near(no)
	return a.emit(unix.SockFilter{Code: op, Jt: uint8(a.skip(yes)), Jf: uint8(a.skip(no)), K: k})
}

// tree finds the leaf of a loaded number in as few comparisons as there are digits
// in the number of leaves. One refused number between two ranges that are judged
// alike is the common case, and takes a single comparison.
func (a *assembler) tree(leaves []leaf, s plan.Seccomp) place {
	if len(leaves) == 1 {
		return a.leaf(leaves[0], s)
	}
	if len(leaves) == 3 && leaves[1].from+1 == leaves[2].from && leaves[0].like(leaves[2]) {
		one, rest := a.leaf(leaves[1], s), a.leaf(leaves[0], s)
		return a.equal(leaves[1].from, one, rest)
	}
	mid := len(leaves) / 2
	above, below := a.tree(leaves[mid:], s), a.tree(leaves[:mid], s)
	return a.atLeast(leaves[mid].from, above, below)
}

func (a *assembler) leaf(l leaf, s plan.Seccomp) place {
	switch {
	case l.judge != nil:
		return l.judge(a, s)
	case l.errno != 0:
		return a.refuse(l.errno)
	}
	return a.allow()
}
