package mask

import (
	"io"
	"strconv"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
	"jail/internal/settings"
)

// content puts a rule's question to a file: what is read of it tells whether it
// may stay open, and why. An empty name means that f is the file itself, opened
// with O_PATH. What cannot be read, or is no regular file, stays hidden. What was
// opened is left in st, as it was before it was read. What it is called is as.
func (k *worker) content(j judge, f int, name, as string, st *stat) (why string, open bool) {
	if !j.reads() || f < 0 {
		return "", false
	}
	if name == "" {
		f, name = unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(f)
	}
	// A pipe or a device by that name must neither block nor see an open, so what
	// is no regular file is closed again unread.
	flags := unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY | unix.O_CLOEXEC
	if f != unix.AT_FDCWD {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := openat(f, name, flags)
	if err != nil {
		return "", false
	}
	defer unix.Close(fd)
	if err := statOf(fd, st); err != nil || st.typ != plan.Regular {
		return "", false
	}
	ask := publicPEM
	switch j {
	case judgeToken:
		ask = harmlessTokens
	case judgeSettings:
		ask = func(f io.ReaderAt, size int64) (string, bool) { return harmlessSettings(as, f, size) }
	}
	if why, open = ask(file(fd), st.size); !open {
		why = ""
	}
	return why, open
}

// reads reports whether a question is about the content of a file.
func (j judge) reads() bool { return j == judgePEM || j == judgeToken || j == judgeSettings }

// maxSettings is more than anybody writes into a file of settings.
const maxSettings = 128 << 10

// harmlessSettings reports whether a file of settings holds no credential itself.
func harmlessSettings(as string, f io.ReaderAt, size int64) (why string, open bool) {
	tool, known := settings.Of("/" + as)
	data, ok := readAll(f, size, maxSettings)
	if !known || !ok || settings.Literal(tool, data) {
		return "", false
	}
	return whyNoCredential, true
}

// A file reads a descriptor from wherever one asks.
type file int

func (f file) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) {
		m, err := unix.Pread(int(f), b[n:], at+int64(n))
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return n, err
		case m == 0:
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

// readAll reads a file of at most limit bytes whole. One that grew meanwhile
// counts as too large.
func readAll(f io.ReaderAt, size, limit int64) ([]byte, bool) {
	if size > limit {
		return nil, false
	}
	b := make([]byte, size+1)
	n, err := f.ReadAt(b, 0)
	return b[:min(int64(n), size)], err == io.EOF && int64(n) <= size
}
