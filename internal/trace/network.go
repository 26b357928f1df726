package trace

import (
	"encoding/binary"
	"net/netip"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	maxQuery    = 512 // of a question to a name server
	maxMessages = 8
	sizeofMany  = 64 // struct mmsghdr
	maxAddress  = 128
)

// address notes where a socket is to lead.
func (t *task) address(at, length uint64) {
	b := t.memory(at, min(length, maxAddress))
	kind, what := addressOf(b)
	if kind == Socket && what != "" && what[0] != '/' && what[0] != '@' {
		what = t.dir(call{dir: nowhere}) + "/" + what
	}
	if kind == Socket && what != "" && what[0] == '/' {
		what = filepath.Clean(what)
	}
	if kind != "" && t.valid() {
		t.record.Add(kind, what)
	}
}

// addressOf reads a struct sockaddr.
func addressOf(b []byte) (Kind, string) {
	if len(b) < 2 {
		return "", ""
	}
	switch binary.NativeEndian.Uint16(b) {
	case unix.AF_UNIX:
		name := b[2:]
		if len(name) > 1 && name[0] == 0 {
			return Socket, "@" + strings.TrimRight(string(name[1:]), "\x00")
		}
		path, _, _ := strings.Cut(string(name), "\x00")
		return Socket, path
	case unix.AF_INET:
		if len(b) < 8 {
			return "", ""
		}
		return hostOf(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:]))
	case unix.AF_INET6:
		if len(b) < 24 {
			return "", ""
		}
		return hostOf(netip.AddrFrom16([16]byte(b[8:24])).Unmap(), binary.BigEndian.Uint16(b[2:]))
	}
	return "", ""
}

// hostOf is a place in the network. Loopback is there in any jail, and port 0 is how
// a library asks for a route.
func hostOf(a netip.Addr, port uint16) (Kind, string) {
	if a.IsLoopback() || a.IsUnspecified() || port == 0 {
		return "", ""
	}
	return Host, netip.AddrPortFrom(a, port).String()
}

// message notes what a struct msghdr says: where to, and what.
func (t *task) message(at uint64) {
	b := t.memory(at, 32)
	if len(b) < 32 {
		return
	}
	t.address(binary.NativeEndian.Uint64(b), uint64(binary.NativeEndian.Uint32(b[8:])))
	iov := t.memory(binary.NativeEndian.Uint64(b[16:]), 16)
	if len(iov) == 16 {
		t.sent(t.memory(binary.NativeEndian.Uint64(iov), min(binary.NativeEndian.Uint64(iov[8:]), maxQuery)))
	}
}

// sent notes the name that is asked for, where b is a question to a name server.
func (t *task) sent(b []byte) {
	if name := question(b); name != "" && t.valid() {
		t.record.Add(Lookup, name)
	}
}

// question is the name in a question of RFC 1035: a header with one question and no
// answer, then labels. What is no such question has none.
func question(b []byte) string {
	const header = 12
	if len(b) < header+5 || b[2]&0xf8 != 0 || binary.BigEndian.Uint16(b[4:]) != 1 || binary.BigEndian.Uint16(b[6:]) != 0 {
		return ""
	}
	var name strings.Builder
	for b = b[header:]; len(b) > 0; {
		n := int(b[0])
		if n == 0 {
			if len(b) < 5 || binary.BigEndian.Uint16(b[3:]) != 1 { // class IN
				return ""
			}
			return name.String()
		}
		if n > 63 || n >= len(b) || name.Len() > 250 {
			return ""
		}
		if name.Len() > 0 {
			name.WriteByte('.')
		}
		for _, c := range b[1 : n+1] {
			if c <= ' ' || c >= 0x7f {
				return ""
			}
			name.WriteByte(c)
		}
		b = b[n+1:]
	}
	return ""
}
