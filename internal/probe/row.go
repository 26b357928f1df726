package main

import (
	"fmt"
	"os"
	"unsafe"

	"jail/internal/escape"

	"golang.org/x/sys/unix"
)

// row is the attack of one row, inside a sandbox or without one: words in the form
// NAME=VALUE are what it knows about the host.
func row(args []string) (string, error) {
	script, err := escape.Attack(args[0], args[1:])
	if err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	fmt.Println(escape.Began(args[0]))
	return "", unix.Exec("/bin/sh", []string{"sh", "-c", script}, append(os.Environ(), "PROBE="+self))
}

// company is what escape-inside starts, and ends with it.
func company([]string) (string, error) {
	name := []byte("kthreadd\x00")
	if err := unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0); err != nil {
		return "", err
	}
	for {
		unix.Pause()
	}
}
