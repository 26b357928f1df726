package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A way is one of several to the same end.
type way struct {
	name string
	try  func() error
}

// first tries the ways in order and names those that led somewhere.
func first(ways []way) (string, error) {
	var led []string
	var last error = refusal("no way")
	for _, w := range ways {
		if err := w.try(); err != nil {
			last = fmt.Errorf("%s: %w", w.name, err)
			continue
		}
		led = append(led, w.name)
	}
	if led == nil {
		return "", last
	}
	return strings.Join(led, " "), nil
}

// asRoot runs a command as root of a user and a mount namespace of its own, which is
// how one without rights comes by capabilities.
func asRoot(args []string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	return "", cmd.Run()
}

// mounts tries every way to mount something, with what rights there are.
func mounts(args []string) (string, error) {
	dir := args[0]
	return first([]way{
		{"mount", func() error { return unix.Mount("tmpfs", dir, "tmpfs", 0, "") }},
		{"bind", func() error { return unix.Mount(dir, dir, "", unix.MS_BIND, "") }},
		{"fsmount", newMount},
		{"open_tree", func() error { return closing(unix.OpenTree(unix.AT_FDCWD, dir, unix.OPEN_TREE_CLONE)) }},
		{"umount", func() error { return unix.Unmount(dir, unix.MNT_DETACH) }},
		{"chroot", func() error { return unix.Chroot(dir) }},
	})
}

func closing(fd int, err error) error {
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

func newMount() error {
	fs, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fs)
	if err := unix.FsconfigCreate(fs); err != nil {
		return err
	}
	return closing(unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, 0))
}

// uncover reads what lies below a mount point.
func uncover(args []string) (string, error) {
	path := args[0]
	if text, err := readFile(args); err == nil && text != `""` {
		return text, nil
	}
	var text string
	read := func(at string) error {
		got, err := readFile([]string{at})
		if err == nil && got == `""` {
			return refusal("empty")
		}
		text = got
		return err
	}
	_, err := first([]way{
		{"umount", func() error {
			if err := unix.Unmount(path, unix.MNT_DETACH); err != nil {
				return err
			}
			return read(path)
		}},
		{"open_tree", func() error { // without what is mounted below it
			fd, err := unix.OpenTree(unix.AT_FDCWD, filepath.Dir(path), unix.OPEN_TREE_CLONE)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			return read(fmt.Sprintf("/proc/self/fd/%d/%s", fd, filepath.Base(path)))
		}},
		{"bind", func() error {
			if err := unix.Mount(filepath.Dir(path), "/tmp", "", unix.MS_BIND, ""); err != nil {
				return err
			}
			return read(filepath.Join("/tmp", filepath.Base(path)))
		}},
	})
	return text, err
}

// remount makes a mount writable and writes to a file on it.
func remount(args []string) (string, error) {
	err := unix.Mount("", args[0], "", unix.MS_REMOUNT|unix.MS_BIND, "")
	if err != nil {
		err = unix.MountSetattr(unix.AT_FDCWD, args[0], 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
	}
	if err != nil {
		return "", err
	}
	return writeFile(args[1:])
}

// handleOf prints the handle of a file: its file system's own name for it.
func handleOf(args []string) (string, error) {
	h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, args[0], 0)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d:%s", h.Type(), hex.EncodeToString(h.Bytes())), nil
}

// byHandle reads a file of the file system that a directory is on, by its handle.
func byHandle(args []string) (string, error) {
	var kind int32
	var text string
	if _, err := fmt.Sscanf(args[0], "%d:%s", &kind, &text); err != nil {
		return "", err
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return "", err
	}
	dir, err := unix.Open(args[1], unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(dir)
	fd, err := unix.OpenByHandleAt(dir, unix.NewFileHandle(kind, b), unix.O_RDONLY|unix.O_CLOEXEC)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	buf := make([]byte, 256)
	n, err := unix.Read(fd, buf)
	return string(buf[:max(n, 0)]), err
}
