package main

import (
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

func makeSocket(args []string) (string, error) {
	families := map[string][2]int{
		"unix": {unix.AF_UNIX, unix.SOCK_STREAM}, "inet": {unix.AF_INET, unix.SOCK_STREAM},
		"inet6": {unix.AF_INET6, unix.SOCK_STREAM}, "netlink": {unix.AF_NETLINK, unix.SOCK_RAW},
		"vsock": {unix.AF_VSOCK, unix.SOCK_STREAM}, "alg": {unix.AF_ALG, unix.SOCK_SEQPACKET},
		"packet": {unix.AF_PACKET, unix.SOCK_DGRAM},
	}
	f, ok := families[args[0]]
	if !ok {
		return "", refusal("unknown family")
	}
	fd, err := unix.Socket(f[0], f[1]|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	return "", unix.Close(fd)
}

// abstract connects, and reads what listen says.
func abstract(args []string) (string, error) {
	c, err := net.DialTimeout("unix", "@"+args[0], 5*time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	b := make([]byte, 64)
	n, err := c.Read(b)
	return string(b[:n]), err
}

// listen greets whoever connects.
func listen(args []string) (string, error) {
	l, err := net.Listen("unix", "@"+args[0])
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(args[1], []byte("listening\n"), 0o644); err != nil {
		return "", err
	}
	l.(*net.UnixListener).SetDeadline(time.Now().Add(lifetime))
	for {
		c, err := l.Accept()
		if err != nil {
			return "", nil
		}
		c.Write([]byte("greeting"))
		c.Close()
	}
}
