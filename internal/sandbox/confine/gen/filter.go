package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jail/internal/sandbox/plan"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// Filter assembles the filter for one architecture, in GOARCH's words. The program
// judges foreign architectures too, and ends on every path. It never kills, because
// programs probe: libuv asks for io_uring at its start.
func Filter(s plan.Seccomp, goarch string) ([]unix.SockFilter, error) {
	m, err := machineOf(goarch)
	if err != nil {
		return nil, err
	}
	answers, err := answersFor(s, m)
	if err != nil {
		return nil, err
	}
	var a assembler
	// The number is not looked at before the architecture is known: it means nothing
	// without.
	native := a.load(numberOffset, a.tree(partition(m.known(), answers), s))
	a.load(archOffset, a.equal(m.audit, native, a.refuse(unix.ENOSYS)))
	return a.program(), nil
}

// A machine is one architecture that the filter can be made for.
type machine struct {
	audit uint32 // AUDIT_ARCH_*, what seccomp_data says
	table *arch.Info
}

func machineOf(goarch string) (machine, error) {
	switch goarch {
	case "amd64":
		// x32 needs no check of its own: its numbers, from 0x40000000 and, before
		// Linux 5.4, from 512 to 547, are above the newest known one.
		return machine{unix.AUDIT_ARCH_X86_64, arch.X86_64}, nil
	case "arm64":
		return machine{unix.AUDIT_ARCH_AARCH64, arch.AARCH64}, nil
	}
	return machine{}, fmt.Errorf("no table of system calls for %q", goarch)
}

// A span is a range of system call numbers, both ends included.
type span struct{ from, to uint32 }

// known returns the numbers that the table knows.
func (m machine) known() []span {
	var all []uint32
	for n := range m.table.SyscallNumbers {
		all = append(all, uint32(n))
	}
	slices.Sort(all)
	var spans []span
	for _, n := range all {
		if last := len(spans) - 1; last >= 0 && spans[last].to+1 == n {
			spans[last].to = n
		} else {
			spans = append(spans, span{n, n})
		}
	}
	return spans
}

// An answer is the rule for one number.
type answer struct {
	number uint32
	rule   *rule
}

// answersFor returns the rules that hold under s, sorted by number.
func answersFor(s plan.Seccomp, m machine) ([]answer, error) {
	var answers []answer
	for i := range rules {
		r := &rules[i]
		for name := range strings.FieldsSeq(r.names) {
			n, here := m.table.SyscallNames[name]
			switch {
			case !here && !known(name):
				return nil, fmt.Errorf("no architecture has a system call %q", name)
			case here && !r.liftedBy(s):
				answers = append(answers, answer{uint32(n), r})
			}
		}
	}
	slices.SortFunc(answers, func(a, b answer) int { return cmp.Compare(a.number, b.number) })
	for i := 1; i < len(answers); i++ {
		if answers[i].number == answers[i-1].number {
			return nil, fmt.Errorf("two rules for system call %d", answers[i].number)
		}
	}
	return answers, nil
}

// known reports whether any architecture has a call of that name: a rule with a
// typing mistake would refuse nothing.
func known(name string) bool {
	_, amd64 := arch.X86_64.SyscallNames[name]
	_, arm64 := arch.AARCH64.SyscallNames[name]
	return amd64 || arm64
}

// A leaf is a range of numbers that are judged alike: by the arguments where there
// is a judgement, with errno otherwise, and allowed where that is 0. It ends where
// the next one begins.
type leaf struct {
	from  uint32
	errno unix.Errno
	judge judgement
}

func (l leaf) like(m leaf) bool {
	return l.judge == nil && m.judge == nil && l.errno == m.errno
}

// partition divides all numbers there can be: what is known and has an answer, what
// is known and has none, which is allowed, and what is not known. A number that is
// not known belongs to a call that is newer than the table, or to another
// architecture.
func partition(known []span, answers []answer) []leaf {
	var leaves []leaf
	add := func(l leaf) {
		if n := len(leaves); n > 0 && leaves[n-1].from == l.from {
			leaves = leaves[:n-1] // nothing lies between two neighbours
		}
		if n := len(leaves); n == 0 || !leaves[n-1].like(l) {
			leaves = append(leaves, l)
		}
	}
	for _, k := range known {
		add(leaf{from: k.from})
		for len(answers) > 0 && answers[0].number <= k.to {
			a := answers[0]
			add(leaf{a.number, a.rule.errno, a.rule.judge})
			add(leaf{from: a.number + 1})
			answers = answers[1:]
		}
		add(leaf{from: k.to + 1, errno: unix.ENOSYS})
	}
	return leaves
}
