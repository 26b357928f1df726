package trace

import "golang.org/x/sys/unix"

// oldCalls are those that newer architectures do not have.
func oldCalls() []oldCall {
	return []oldCall{{unix.SYS_OPEN, 1}, {unix.SYS_STAT, 0}, {unix.SYS_LSTAT, 0}, {unix.SYS_ACCESS, 0}, {unix.SYS_READLINK, 0}}
}
