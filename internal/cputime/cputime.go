// Package cputime lets tests bound what something costs. The clock runs on while
// others have the processors, and a bound by it fails on a busy machine.
package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Spent is how long the processors have worked for this process and its threads so
// far, in it and in the kernel.
func Spent() time.Duration {
	var used unix.Rusage
	// It fails for no process's own usage, getrusage(2).
	_ = unix.Getrusage(unix.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
