package mask

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"strconv"
	"strings"
	"unsafe"
)

// What is left for later launches begins with a line that names the format, and a
// checksum of all that follows. Numbers are varints, times nanoseconds, strings a
// length and bytes. A device is 0 where it is that of the directory which it is
// all about: its number may be another one after the next start of the machine.

// whole returns what follows the head, if that is what was written.
func whole(text []byte, head string) (string, bool) {
	rest, found := bytes.CutPrefix(text, []byte(head))
	if !found || len(rest) < 5 {
		return "", false
	}
	sum, body := binary.LittleEndian.Uint32(rest), rest[4:]
	// The names in it are used as strings where they stand: nobody writes to it.
	return unsafe.String(&body[0], len(body)), sum == crc32.ChecksumIEEE(body)
}

// sealed returns body behind a head.
func sealed(head string, body []byte) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte(head), crc32.ChecksumIEEE(body)), body...)
}

// fileName names what a shelf keeps about a directory: by what the directory is, so
// that it is found when that has moved, and by its path only where its file system
// does not say when it was made.
func fileName(kind, path string, st *stat) string {
	name := kind + "-" + strconv.FormatUint(st.id.Ino, 16) + "-" + strconv.FormatInt(st.born, 16)
	if st.born == 0 {
		name += "-" + strconv.FormatUint(hashOf(path), 16)
	}
	return name
}

func hashOf(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// maxFile bounds each file. A shelf takes several times that, so that what was
// written can be read.
const maxFile = 16 << 20

// A writer appends what a reader reads.
type writer struct {
	b   []byte
	dev uint64 // which is written as 0
}

func (w *writer) byte(c byte)     { w.b = append(w.b, c) }
func (w *writer) signed(n int64)  { w.b = binary.AppendVarint(w.b, n) }
func (w *writer) number(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *writer) fixed(n uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, n) }

func (w *writer) texts(list ...string) {
	for _, s := range list {
		w.number(uint64(len(s)))
		w.b = append(w.b, s...)
	}
}

func (w *writer) device(dev uint64) {
	if dev == w.dev {
		dev = 0
	}
	w.number(dev)
}

// A reader never goes beyond its text. After the first thing that cannot be, bad
// is set and everything reads as nothing.
type reader struct {
	rest string
	dev  uint64 // which is written as 0
	bad  bool
}

func (r *reader) fail() {
	r.bad, r.rest = true, ""
}

func (r *reader) take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) byte() byte {
	if s := r.take(1); s != "" {
		return s[0]
	}
	return 0
}

func (r *reader) number() uint64 {
	var n uint64
	for i := 0; i < len(r.rest) && i < binary.MaxVarintLen64; i++ {
		c := r.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

func (r *reader) fixed() uint64 {
	if s := r.take(8); s != "" {
		return binary.LittleEndian.Uint64([]byte(s))
	}
	return 0
}

func (r *reader) signed() int64 {
	n := r.number()
	return int64(n>>1) ^ -int64(n&1)
}

// count reads how many things follow that take at least so many bytes each.
func (r *reader) count(least int) int {
	n := r.number()
	if n > uint64(len(r.rest)/least) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) text() string { return r.take(r.count(1)) }

func (r *reader) device() uint64 {
	if dev := r.number(); dev != 0 {
		return dev
	}
	return r.dev
}

// cleanPath reports whether s is a clean path below a directory.
func cleanPath(s string) bool {
	for name := range strings.SplitSeq(s, "/") {
		if !isName(name) {
			return false
		}
	}
	return true
}

func isName(s string) bool {
	return s != "" && s != "." && s != ".." && strings.IndexByte(s, 0) < 0
}
