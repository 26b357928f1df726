// Package textbusy lets tests write a program and run it at once, beside other
// tests that start processes.
//
// Between fork and exec a child holds every descriptor of its parent, also one by
// which the parent writes a program at that moment; the kernel then refuses to run
// the program (ETXTBSY, execve(2)) although its writer has closed it. Package
// syscall holds [syscall.ForkLock] for as long as a fork of its own takes.
package textbusy

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteProgram writes a program of mode 0755 that can be run when it returns.
func WriteProgram(path string, text []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, text, 0o755)
}

// Rewrite gives every file below dir a new inode of the same mode and content, for
// files that were written without the lock and may be run: a child that still holds
// the old one does no harm then.
func Rewrite(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		return errors.Join(WriteProgram(path, text), os.Chmod(path, info.Mode()))
	})
}
