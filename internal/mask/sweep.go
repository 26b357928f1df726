package mask

import (
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// What is left of a project that is gone is removed when it is so old, a few files
// whenever there is a new project: where every build has a directory of its own,
// as many go as come. A project that has moved is written down anew when it is
// used.
const (
	sweepAfter = 30 * 24 * time.Hour
	sweepMost  = 8
)

// sweep removes some of what is left of projects that are gone.
func (s *search) sweep() {
	names, err := s.Shelf.Names()
	if err != nil || len(names) == 0 {
		return
	}
	from := rand.IntN(len(names))
	for i := range min(len(names), sweepMost) {
		if name := names[(from+i)%len(names)]; s.isLeft(name) {
			s.Shelf.Remove(name)
		}
	}
}

// isLeft reports whether a file is about a directory that is gone, and old.
func (s *search) isLeft(name string) bool {
	head, kind := "", ""
	switch {
	case strings.HasPrefix(name, ledgerKind+"-"):
		head, kind = ledgerHead, ledgerKind
	case strings.HasPrefix(name, recordsKind+"-"):
		head, kind = recordsHead, recordsKind
	default:
		return false
	}
	text, mark, err := s.Shelf.Read(name)
	if err != nil || s.now.Sub(time.Unix(0, mark.Ctime)) < sweepAfter {
		return false
	}
	body, ok := whole(text, head)
	r := reader{rest: body}
	path := r.text()
	if !ok || path == "" {
		return true // of no use to anybody
	}
	var st stat
	if err := statAt(unix.AT_FDCWD, path, &st); err != nil {
		return gone(err)
	}
	return fileName(kind, path, &st) != name
}
