package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const shortly = 2 * time.Second

// connect goes to kind:ADDRESS, as serve has them, and prints what it is told.
func connect(args []string) (string, error) {
	kind, address, _ := strings.Cut(args[0], ":")
	switch kind {
	case "udp":
		return packet(address, []byte("hello"))
	case "mptcp":
		return multipath(address)
	}
	n, a := network(kind, address)
	c, err := net.DialTimeout(n, a, shortly)
	if err != nil {
		return "", err
	}
	defer c.Close()
	return told(c)
}

func told(c net.Conn) (string, error) {
	c.SetDeadline(time.Now().Add(shortly))
	b := make([]byte, 256)
	n, err := c.Read(b)
	return strings.TrimSpace(string(b[:n])), err
}

func packet(address string, b []byte) (string, error) {
	c, err := net.Dial("udp", address)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := c.Write(b); err != nil {
		return "", err
	}
	return told(c)
}

// multipath is TCP by another protocol number, which fences that know TCP by its
// number do not see.
func multipath(address string) (string, error) {
	const protocol = 262 // IPPROTO_MPTCP
	a, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil {
		return "", err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, protocol)
	if err != nil {
		return "", err
	}
	f := os.NewFile(uintptr(fd), "mptcp")
	defer f.Close()
	to := unix.SockaddrInet4{Port: a.Port}
	copy(to.Addr[:], a.IP.To4())
	if err := unix.Connect(fd, &to); err != nil {
		return "", err
	}
	b := make([]byte, 256)
	n, err := f.Read(b)
	return strings.TrimSpace(string(b[:n])), err
}

// resolve asks the name server of /etc/resolv.conf, or the one that is given.
func resolve(args []string) (string, error) {
	server := args[1]
	if b, err := os.ReadFile("/etc/resolv.conf"); err == nil && server == "" {
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) == 2 && f[0] == "nameserver" {
				server = f[1]
			}
		}
	}
	q := []byte{0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0}
	for label := range strings.SplitSeq(args[0], ".") {
		q = append(append(q, byte(len(label))), label...)
	}
	answer, err := packet(net.JoinHostPort(server, "53"), append(q, 0, 0, 1, 0, 1))
	return fmt.Sprintf("%q", answer), err
}

// askProxy has a proxy connect to an address.
func askProxy(args []string) (string, error) {
	c, err := net.DialTimeout("tcp", args[0], shortly)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(shortly))
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", args[1], args[1])
	b, err := io.ReadAll(bufio.NewReader(c))
	if len(b) > 0 {
		err = nil
	}
	return strings.ReplaceAll(string(b), "\r\n", " "), err
}

// post sends a text, as to a server that takes whatever it is given.
func post(args []string) (string, error) {
	c, err := net.DialTimeout("tcp", args[0], shortly)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: drop.example\r\n\r\n%s", args[1]); err != nil {
		return "", err
	}
	return told(c)
}

// inheritedFD is where connected and hand leave a descriptor for a command.
const inheritedFD = 7

// connected runs a command that has a connection open.
func connected(args []string) (string, error) {
	c, err := net.DialTimeout("tcp", args[0], shortly)
	if err != nil {
		return "", err
	}
	f, err := c.(*net.TCPConn).File()
	if err != nil {
		return "", err
	}
	if err := unix.SetNonblock(int(f.Fd()), false); err != nil {
		return "", err
	}
	return "", inherit(int(f.Fd()), args[1:])
}

func inherit(fd int, command []string) error {
	if err := unix.Dup2(fd, inheritedFD); err != nil {
		return err
	}
	return execute(command)
}

// hand runs a command with a socket open, in which an open file is waiting.
func hand(args []string) (string, error) {
	f, err := os.Open(args[0])
	if err != nil {
		return "", err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	if err := unix.Sendmsg(pair[0], []byte{0}, unix.UnixRights(int(f.Fd())), nil, 0); err != nil {
		return "", err
	}
	// The other end stays open too, in the command: without it nothing can be read.
	if _, err := unix.FcntlInt(uintptr(pair[0]), unix.F_SETFD, 0); err != nil {
		return "", err
	}
	return "", inherit(pair[1], args[1:])
}

// take takes the file out of the socket and reads it.
func take([]string) (string, error) {
	b, oob := make([]byte, 1), make([]byte, 64)
	_, n, _, _, err := unix.Recvmsg(inheritedFD, b, oob, unix.MSG_DONTWAIT)
	if err != nil {
		return "", err
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) == 0 {
		return "", refusal("no file")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return "", refusal("no file")
	}
	text := make([]byte, 256)
	got, err := unix.Pread(fds[0], text, 0)
	return string(text[:max(got, 0)]), err
}

// readFD reads what comes from an inherited descriptor.
func readFD([]string) (string, error) {
	b := make([]byte, 256)
	n, err := unix.Read(inheritedFD, b)
	return string(b[:max(n, 0)]), err
}
