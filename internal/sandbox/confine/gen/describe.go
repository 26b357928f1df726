package gen

import (
	"fmt"
	"slices"
	"strings"

	"jail/internal/sandbox/plan"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// Describe says in a few lines what the filter for s refuses. A name is listed
// though one architecture may not have it.
func Describe(s plan.Seccomp) []string {
	lines := []string{
		"not permitted (EPERM): " + strings.Join(refusedWith(unix.EPERM, s), " "),
		"not there (ENOSYS): " + strings.Join(refusedWith(unix.ENOSYS, s), " "),
		"not there (ENOSYS): calls of another architecture, and calls newer than " + newest(),
	}
	return append(lines, "by their arguments: "+strings.Join(judged(s), "; "))
}

func refusedWith(e unix.Errno, s plan.Seccomp) []string {
	var names []string
	for i := range rules {
		if rules[i].errno == e && !rules[i].liftedBy(s) {
			names = append(names, strings.Fields(rules[i].names)...)
		}
	}
	slices.Sort(names)
	return names
}

// judged returns the texts of the rules that look at arguments, each once.
func judged(s plan.Seccomp) []string {
	var texts []string
	for i := range rules {
		r := &rules[i]
		if r.judge == nil || r.liftedBy(s) || slices.Contains(texts, r.text) {
			continue
		}
		texts = append(texts, r.text)
	}
	if i := slices.Index(texts, modeText); i >= 0 && s.SetGroupID {
		texts[i] = "set-user-id bits in the mode of a file"
	}
	return texts
}

func newest() string {
	last := 0
	for n := range arch.X86_64.SyscallNumbers {
		last = max(last, n)
	}
	return fmt.Sprintf("%s (%d)", arch.X86_64.SyscallNumbers[last], last)
}
