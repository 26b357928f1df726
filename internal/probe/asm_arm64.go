package main

import "golang.org/x/sys/unix"

// gate32 has no gate to call by: 64-bit code cannot make 32-bit calls here.
func gate32(int32) int32 { return -int32(unix.ENOSYS) }

// idleThread starts a thread that does nothing, or returns minus an errno.
func idleThread(flags uintptr) int
