package escape

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// askedFile is where the names are written that anybody asked for.
const askedFile = workDir + "/asked"

// resolver makes a server of this harness's own the one that programs ask for names.
func resolver() error {
	p, err := net.ListenPacket("udp", "192.0.2.53:53")
	if err != nil {
		return err
	}
	go answer(p)
	path, err := filepath.EvalSymlinks("/etc/resolv.conf")
	if err != nil {
		return nil // a machine without one asks nobody
	}
	own := "/mnt/resolv.conf"
	if err := os.WriteFile(own, []byte("nameserver 192.0.2.53\noptions timeout:1 attempts:1\n"), 0o644); err != nil {
		return err
	}
	if err := unix.Mount(own, path, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount on %s: %w", path, err)
	}
	return nil
}

func answer(p net.PacketConn) {
	b := make([]byte, 1500)
	for {
		n, from, err := p.ReadFrom(b)
		if err != nil {
			return
		}
		name, end := nameAsked(b[:n])
		if f, err := os.OpenFile(askedFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err == nil {
			fmt.Fprintln(f, name)
			f.Close()
		}
		if end > 0 {
			p.WriteTo(reply(b[:end]), from)
		}
	}
}

// headerSize is that of a message to or from a name server, RFC 1035 4.1.1.
const headerSize = 12

// nameAsked reads the name out of a question, and where the question ends; 0 where
// it makes no sense.
func nameAsked(b []byte) (name string, end int) {
	var labels []string
	i := headerSize
	for i < len(b) && b[i] != 0 {
		next := i + 1 + int(b[i])
		if next > len(b) {
			return "", 0
		}
		labels = append(labels, string(b[i+1:next]))
		i = next
	}
	if end = i + 1 + 4; end > len(b) {
		return "", 0
	}
	return strings.Join(labels, "."), end
}

// reply says 127.0.0.1, as a server of an attacker's does once the name has been
// allowed.
func reply(question []byte) []byte {
	out := append([]byte{}, question...)
	out[2], out[3] = 0x81, 0x80 // an answer, and recursion is available
	out[7], out[9], out[11] = 1, 0, 0
	return append(out, 0xc0, headerSize, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1)
}
