package detect

import (
	"golang.org/x/sys/unix"

	"jail/internal/detect/rlimit"
	"jail/internal/sandbox/plan"
)

// Rlimits returns the resource limits as the caller had them, in the order of
// their names. One that the kernel does not know is left out.
//
// All but one are read now: nothing has changed them since. The soft limit on
// open files is what package rlimit saw before Go raised it.
func Rlimits() []plan.Rlimit {
	names := [...]struct {
		name   string
		number int
	}{
		{"AS", unix.RLIMIT_AS}, {"CORE", unix.RLIMIT_CORE}, {"CPU", unix.RLIMIT_CPU},
		{"DATA", unix.RLIMIT_DATA}, {"FSIZE", unix.RLIMIT_FSIZE}, {"LOCKS", unix.RLIMIT_LOCKS},
		{"MEMLOCK", unix.RLIMIT_MEMLOCK}, {"MSGQUEUE", unix.RLIMIT_MSGQUEUE}, {"NICE", unix.RLIMIT_NICE},
		{"NOFILE", unix.RLIMIT_NOFILE}, {"NPROC", unix.RLIMIT_NPROC}, {"RSS", unix.RLIMIT_RSS},
		{"RTPRIO", unix.RLIMIT_RTPRIO}, {"RTTIME", unix.RLIMIT_RTTIME}, {"SIGPENDING", unix.RLIMIT_SIGPENDING},
		{"STACK", unix.RLIMIT_STACK},
	}
	limits := make([]plan.Rlimit, 0, len(names))
	for _, l := range names {
		var now unix.Rlimit
		if unix.Getrlimit(l.number, &now) != nil {
			continue
		}
		if soft, _, ok := rlimit.NOFILE(); ok && l.number == unix.RLIMIT_NOFILE {
			now.Cur = soft
		}
		limits = append(limits, plan.Rlimit{
			Name: l.name, Soft: now.Cur, Hard: now.Max,
			Reason: plan.Reason{Layer: "host", Text: "as the caller has it"},
		})
	}
	return limits
}
