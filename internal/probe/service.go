package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

// serve answers on all the addresses that are given, with a word which it reads from
// a file and removes: kind:ADDRESS, where kind is
//
//	tcp, udp, unix, abstract   who comes is told the word
//	proxy                      HTTP's CONNECT, to anywhere
//	log=FILE                   what is sent is written to FILE
func serve(args []string) (string, error) {
	word, err := os.ReadFile(args[1])
	if err != nil {
		return "", err
	}
	if err := os.Remove(args[1]); err != nil {
		return "", err
	}
	for _, spec := range args[2:] {
		kind, address, _ := strings.Cut(spec, ":")
		kind, file, _ := strings.Cut(kind, "=")
		if err := service(kind, address, file, string(word)); err != nil {
			return "", fmt.Errorf("%s: %w", spec, err)
		}
	}
	if err := replace(args[0], "ready\n"); err != nil {
		return "", err
	}
	time.Sleep(lifetime)
	return "", nil
}

func service(kind, address, file, word string) error {
	switch kind {
	case "tcp", "unix", "abstract":
		return stream(kind, address, func(c net.Conn) { io.WriteString(c, word) })
	case "proxy":
		return stream("tcp", address, relay)
	case "log":
		return stream("tcp", address, func(c net.Conn) { keepLog(c, file) })
	case "udp":
		return packets(address, word)
	}
	return refusal("unknown kind of service")
}

func network(kind, address string) (string, string) {
	switch kind {
	case "abstract":
		return "unix", "@" + address
	case "unix":
		return "unix", address
	}
	return "tcp", address
}

func stream(kind, address string, talk func(net.Conn)) error {
	l, err := net.Listen(network(kind, address))
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				c.SetDeadline(time.Now().Add(lifetime))
				talk(c)
			}()
		}
	}()
	return nil
}

func packets(address, word string) error {
	p, err := net.ListenPacket("udp", address)
	if err != nil {
		return err
	}
	go func() {
		for {
			_, from, err := p.ReadFrom(make([]byte, 1))
			if err != nil {
				return
			}
			p.WriteTo([]byte(word), from)
		}
	}()
	return nil
}

// relay is a proxy that nobody has taught any better.
func relay(c net.Conn) {
	r := bufio.NewReader(c)
	line, err := r.ReadString('\n')
	words := strings.Fields(line)
	if err != nil || len(words) < 2 || words[0] != "CONNECT" {
		return
	}
	for line != "\r\n" && err == nil {
		line, err = r.ReadString('\n')
	}
	to, err := net.DialTimeout("tcp", words[1], 5*time.Second)
	if err != nil {
		io.WriteString(c, "HTTP/1.1 502 no\r\n\r\n")
		return
	}
	defer to.Close()
	io.WriteString(c, "HTTP/1.1 200 yes\r\n\r\n")
	io.Copy(c, to)
}

func keepLog(c net.Conn, file string) {
	b := make([]byte, 4096)
	n, _ := c.Read(b)
	appendLine(file, string(b[:n]))
	io.WriteString(c, "HTTP/1.1 200 thanks\r\n\r\n")
}

func appendLine(file, text string) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, text)
}
