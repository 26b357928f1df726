package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// readFile is read(2) of at most a few bytes: enough for a sentinel.
func readFile(args []string) (string, error) {
	f, err := os.Open(args[0])
	if err != nil {
		return "", err
	}
	defer f.Close()
	b := make([]byte, 256)
	n, err := unix.Read(int(f.Fd()), b)
	if err != nil {
		return "", err
	}
	return strconv.Quote(string(b[:n])), nil
}

func writeFile(args []string) (string, error) {
	f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = f.WriteString("written by probe\n")
	return "", err
}

func list(args []string) (string, error) {
	entries, err := os.ReadDir(args[0])
	if err != nil {
		return "", err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strconv.Quote(e.Name())
	}
	return strings.Join(names, " "), nil
}

func mkdir(args []string) (string, error)  { return "", os.Mkdir(args[0], 0o755) }
func unlink(args []string) (string, error) { return "", os.Remove(args[0]) }
func rename(args []string) (string, error) { return "", os.Rename(args[0], args[1]) }

func hardlink(args []string) (string, error) { return "", os.Link(args[0], args[1]) }

func chmod(args []string) (string, error) {
	mode, err := strconv.ParseUint(args[1], 8, 12)
	if err != nil {
		return "", err
	}
	return "", unix.Chmod(args[0], uint32(mode))
}

// openHandle is how a file outside a view can be opened where nothing stops it:
// a handle needs no path.
func openHandle(args []string) (string, error) {
	handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, args[0], 0)
	if err != nil {
		return "", fmt.Errorf("name_to_handle_at: %w", err)
	}
	mount, err := unix.Open(args[0], unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(mount)
	fd, err := unix.OpenByHandleAt(mount, handle, unix.O_RDONLY|unix.O_CLOEXEC)
	if err != nil {
		return "", err
	}
	return "", unix.Close(fd)
}
