package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// inventory prints everything that this process can read, write, connect to and see
// in its environment, by trying. Arguments are NAME=NETWORK:ADDRESS to connect to.
func inventory(targets []string) (string, error) {
	fmt.Println("# files: may it be read, may it be written")
	walk("/")
	fmt.Println("# connections")
	for _, t := range targets {
		name, where, _ := strings.Cut(t, "=")
		network, address, _ := strings.Cut(where, ":")
		fmt.Printf("%-4s %s\n", yesNo(dial(network, address)), name)
	}
	fmt.Printf("%-4s a listener of its own on 127.0.0.1\n", yesNo(loopback()))
	fmt.Println("# environment")
	env := os.Environ()
	slices.Sort(env)
	for _, e := range env {
		fmt.Println(e)
	}
	return "", nil
}

func yesNo(err error) string {
	if err != nil {
		return "no"
	}
	return "yes"
}

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, 5*time.Second)
	if err == nil {
		c.Close()
	}
	return err
}

func loopback() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	return dial("tcp", l.Addr().String())
}

// offer listens where the arguments say, NETWORK:ADDRESS each, writes to a file where
// that turned out to be, and answers for a minute.
func offer(args []string) (string, error) {
	var at strings.Builder
	for _, t := range args[1:] {
		network, address, _ := strings.Cut(t, ":")
		l, err := net.Listen(network, address)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&at, "%s:%s\n", network, l.Addr())
		go func() {
			for {
				if c, err := l.Accept(); err == nil {
					c.Close()
				}
			}
		}()
	}
	if err := os.WriteFile(args[0]+".new", []byte(at.String()), 0o644); err != nil {
		return "", err
	}
	if err := os.Rename(args[0]+".new", args[0]); err != nil {
		return "", err
	}
	time.Sleep(time.Minute)
	return "", nil
}

// telltales are read of what belongs to the system.
var telltales = [...]string{"/etc/hostname", "/etc/passwd", "/etc/shadow"}

// walk tries a path and, where it is a directory, what is in it. What belongs to the
// system is another list on each machine, so of that only the top is tried.
func walk(path string) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return
	}
	what, note := kind(path, &st)
	r, w := readable(path, &st), changeable(path, &st)
	if r && what == "file" && st.Size == 0 {
		note = " (empty)"
	}
	fmt.Printf("%s%s %-4s %s%s\n", letter(r, "r"), letter(w, "w"), what, path, note)
	if what != "dir" || !r {
		return
	}
	if ofSystem(path) {
		for _, t := range telltales {
			if filepath.Dir(t) == path {
				walk(t)
			}
		}
		return
	}
	entries, _ := os.ReadDir(path)
	for _, e := range entries {
		walk(filepath.Join(path, e.Name()))
	}
}

func letter(is bool, name string) string {
	if is {
		return name
	}
	return "-"
}

func ofSystem(path string) bool {
	switch filepath.Dir(path) {
	case "/":
		return slices.Contains([]string{"/bin", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/opt", "/proc", "/sbin", "/snap", "/sys", "/usr"}, path)
	}
	return false
}

func kind(path string, st *unix.Stat_t) (what, note string) {
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return "dir", ""
	case unix.S_IFLNK:
		text, _ := os.Readlink(path)
		return "link", " -> " + text
	case unix.S_IFCHR, unix.S_IFBLK:
		return "dev", ""
	case unix.S_IFSOCK:
		return "sock", ""
	case unix.S_IFREG:
		return "file", ""
	}
	return "odd", ""
}

func readable(path string, st *unix.Stat_t) bool {
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFLNK, unix.S_IFSOCK, unix.S_IFIFO:
		return true
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	// A device that is not there now, such as a terminal that nobody has, could be read.
	if errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EIO) {
		return true
	}
	if err == nil {
		unix.Close(fd)
	}
	return err == nil
}

// changeable tries to make a file in a directory, and to open a file for writing.
func changeable(path string, st *unix.Stat_t) bool {
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFLNK, unix.S_IFSOCK, unix.S_IFIFO:
		return false
	case unix.S_IFDIR:
		name := filepath.Join(path, ".inventory")
		fd, err := unix.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o600)
		if err == nil {
			unix.Close(fd)
			unix.Unlink(name)
		}
		return err == nil
	}
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err == nil {
		unix.Close(fd)
	}
	return err == nil || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EIO)
}
