package confine

import (
	"errors"
	"fmt"
	"slices"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

//go:generate go test . -run ^TestProgramsAreCurrent$ -update

// Filter returns the seccomp filter for one architecture, in GOARCH's words: amd64 or
// arm64. It is ready for SECCOMP_SET_MODE_FILTER and needs no flag. The slice may lie in
// the program's own data: whoever changes it changes every later filter.
//
// Postcondition: the program ends on every path with SECCOMP_RET_ALLOW or
// SECCOMP_RET_ERRNO, whatever the architecture and number, and has fewer than 4096
// instructions.
func Filter(s plan.Seccomp, goarch string) ([]unix.SockFilter, error) {
	p, err := programsFor(goarch)
	if err != nil {
		return nil, fmt.Errorf("choose a seccomp filter: %w", err)
	}
	e := p.extents[variant(s)]
	if e.to == 0 {
		return nil, errors.New("choose a seccomp filter: mounts are allowed, but no namespace to mount in")
	}
	code := p.code[e.from:e.to:e.to]
	if s.Parent != 0 {
		code = append(parentLooksAlive(s.Parent, goarch), code...)
	}
	return code, nil
}

// Describe says in a few lines what the filter for s refuses, for a dry run.
func Describe(s plan.Seccomp) []string {
	lines := slices.Clone(texts[variant(s)])
	if s.Parent != 0 {
		lines = append(lines, "answered: signal 0 to the process that started the command, which looks alive")
	}
	return lines
}

// programs are the filters of one architecture, one behind the other.
type programs struct {
	code    []unix.SockFilter
	extents [32]extent // at the index that variant returns
}

// An extent is where in programs.code a filter begins and ends.
type extent struct{ from, to uint16 }

func programsFor(goarch string) (*programs, error) {
	switch goarch {
	case "amd64":
		return &amd64, nil
	case "arm64":
		return &arm64, nil
	}
	return nil, fmt.Errorf("there is none for the architecture %q", goarch)
}

// variant numbers the values of plan.Seccomp; package gen counts alike.
func variant(s plan.Seccomp) int {
	i := 0
	for bit, set := range [...]bool{s.UserNamespaces, s.Mounts, s.RefuseKillZero, s.SetGroupID, s.Ptrace} {
		if set {
			i |= 1 << bit
		}
	}
	return i
}
