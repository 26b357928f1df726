package main

// gate32 makes a system call without arguments by the gate of 32-bit programs, int
// 0x80, and by its number there.
func gate32(nr int32) int32

// idleThread starts a thread that does nothing, or returns minus an errno.
func idleThread(flags uintptr) int
