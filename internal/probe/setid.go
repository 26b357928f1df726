package main

import (
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// setID makes a file with the set-user-ID bit in every way there is.
func setID(args []string) (string, error) {
	const mode = unix.S_ISUID | 0o755
	n := 0
	name := func() string { n++; return fmt.Sprintf("%s-%d", args[0], n) }
	plain := func() (string, error) {
		p := name()
		return p, os.WriteFile(p, []byte("x"), 0o755)
	}
	on := func(f func(path string) error) func() error {
		return func() error {
			p, err := plain()
			if err != nil {
				return err
			}
			if err := f(p); err != nil {
				return err
			}
			return isSetID(p)
		}
	}
	fresh := func(f func(path string) error) func() error {
		return func() error {
			p := name()
			if err := f(p); err != nil {
				return err
			}
			return isSetID(p)
		}
	}
	const create = unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_CLOEXEC
	return first([]way{
		{"chmod", on(func(p string) error { return unix.Chmod(p, mode) })},
		{"fchmodat2", on(func(p string) error { return fchmodat2(p, mode) })},
		{"open", fresh(func(p string) error { return closing(unix.Open(p, create, mode)) })},
		{"openat2", fresh(func(p string) error {
			return closing(unix.Openat2(unix.AT_FDCWD, p, &unix.OpenHow{Flags: create, Mode: mode}))
		})},
		{"mknod", fresh(func(p string) error { return unix.Mknod(p, unix.S_IFREG|mode, 0) })},
		{"tmpfile", fresh(func(p string) error { return unnamed(p, mode) })},
		{"set-group-id", on(func(p string) error { return unix.Fchmodat(unix.AT_FDCWD, p, unix.S_ISGID|0o775, 0) })},
	})
}

func isSetID(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err
	}
	if st.Mode&(unix.S_ISUID|unix.S_ISGID) == 0 {
		return refusal("without the bit")
	}
	return nil
}

func fchmodat2(path string, mode uint32) error {
	p, err := unix.BytePtrFromString(path)
	if err != nil {
		return err
	}
	const at = unix.AT_FDCWD
	_, _, errno := unix.Syscall6(unix.SYS_FCHMODAT2, uintptr(at&(1<<64-1)), uintptr(unsafe.Pointer(p)), uintptr(mode), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// unnamed makes a file without a name by openat2, and gives it one afterwards.
func unnamed(path string, mode uint64) error {
	fd, err := unix.Openat2(unix.AT_FDCWD, filepath.Dir(path), &unix.OpenHow{Flags: unix.O_WRONLY | unix.O_TMPFILE | unix.O_CLOEXEC, Mode: mode})
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
}
