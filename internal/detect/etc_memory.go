package detect

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"jail/internal/memory"
	"jail/internal/sandbox/plan"
)

// A Memory keeps what one launch saw for the next.
type Memory = memory.Memory

// How long a walk is believed. A file that comes, goes or is replaced changes its
// directory and ends it at once; what is not seen before is that somebody closes
// the mode of a file in place, which until then everybody could read.
const memoryAge = 5 * time.Minute

// memorySettles is how old a change must be before its time stamp tells it from a
// later one: file systems count in ticks.
const memorySettles = 2 * time.Second

// memoryHead is the first line of what is kept. Another version is not believed.
// The last line says that nothing was cut off.
const (
	memoryHead = "jail-etc 1 "
	memoryEnd  = "end\n"
)

// unreadableSince is unreadable for what m remembers, which costs one call for
// each directory and not one for each file.
func unreadableSince(dir string, m Memory, now time.Time) ([]plan.Source, error) {
	if m.Recall == nil {
		return unreadable(dir)
	}
	if hits, ok := remembered(m.Recall(), now); ok {
		return hits, nil
	}
	w, err := walkAll(dir)
	if err != nil {
		return nil, err
	}
	if text, ok := memorize(w, now); ok && m.Keep != nil {
		m.Keep(text)
	}
	return w.hits, nil
}

// memorize writes down the directories that were read and the hits in them. It
// reports false where something is too new to be told from a later change, or
// has a name that does not fit on a line.
func memorize(w *walk, now time.Time) ([]byte, bool) {
	b := []byte(memoryHead + strconv.FormatInt(now.Unix(), 10) + "\n")
	for _, d := range w.seen {
		if now.Sub(time.Unix(d.ctime.Unix())) < memorySettles || strings.Contains(d.path, "\n") {
			return nil, false
		}
		b = line(b, "read", d.id, strconv.FormatInt(d.ctime.Nano(), 10), d.path)
	}
	for _, h := range w.hits {
		if strings.Contains(h.Path, "\n") {
			return nil, false
		}
		b = line(b, string(h.Type), h.ID, strconv.FormatUint(uint64(h.Perm), 8)+","+strconv.FormatUint(uint64(h.UID), 10), h.Path)
	}
	return append(b, memoryEnd...), true
}

// line is one record: type, device, inode, what else there is, path.
func line(b []byte, kind string, id plan.ID, more, path string) []byte {
	b = append(b, strings.ReplaceAll(kind, " ", "_")...)
	b = append(b, ' ')
	b = strconv.AppendUint(b, id.Dev, 10)
	b = append(b, ' ')
	b = strconv.AppendUint(b, id.Ino, 10)
	b = append(b, ' ')
	b = append(b, more...)
	b = append(b, ' ')
	b = append(b, path...)
	return append(b, '\n')
}

// remembered returns the hits of an earlier walk if all that it read is as it
// was.
func remembered(text []byte, now time.Time) ([]plan.Source, bool) {
	text, whole := bytes.CutSuffix(text, []byte(memoryEnd))
	head, rest, _ := bytes.Cut(text, []byte("\n"))
	stamp, ok := bytes.CutPrefix(head, []byte(memoryHead))
	at, err := strconv.ParseInt(string(stamp), 10, 64)
	if age := now.Sub(time.Unix(at, 0)); !ok || !whole || err != nil || age < 0 || age > memoryAge {
		return nil, false
	}
	var hits []plan.Source
	for l := range strings.Lines(string(rest)) {
		f := strings.SplitN(strings.TrimSuffix(l, "\n"), " ", 5)
		if len(f) != 5 {
			return nil, false
		}
		id, ok := parseID(f[1], f[2])
		switch {
		case !ok:
			return nil, false
		case f[0] == "read":
			if !unchanged(f[4], id, f[3]) {
				return nil, false
			}
		default:
			s, ok := parseHit(f, id)
			if !ok {
				return nil, false
			}
			hits = append(hits, s)
		}
	}
	return hits, true
}

func parseID(dev, ino string) (plan.ID, bool) {
	d, err1 := strconv.ParseUint(dev, 10, 64)
	i, err2 := strconv.ParseUint(ino, 10, 64)
	return plan.ID{Dev: d, Ino: i}, err1 == nil && err2 == nil
}

func parseHit(f []string, id plan.ID) (plan.Source, bool) {
	perm, uid, _ := strings.Cut(f[3], ",")
	p, err1 := strconv.ParseUint(perm, 8, 32)
	u, err2 := strconv.ParseUint(uid, 10, 32)
	t := plan.Type(strings.ReplaceAll(f[0], "_", " "))
	return plan.Source{Path: f[4], Type: t, ID: id, Perm: uint32(p), UID: uint32(u)}, err1 == nil && err2 == nil
}

// unchanged reports whether the directory at path has the same entries as when
// its ctime, in nanoseconds, was noted.
func unchanged(path string, id plan.ID, ctime string) bool {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return false
	}
	return st.Dev == id.Dev && st.Ino == id.Ino && strconv.FormatInt(st.Ctim.Nano(), 10) == ctime
}

// withinReach leaves out what the kernel keeps from this caller anyway: each
// mount that hides something costs more than the question. A root caller's
// privileges end where the jail begins, but root still owns the files.
func withinReach(hits []plan.Source) []plan.Source {
	var out []plan.Source
	for _, h := range hits {
		mode := uint32(unix.R_OK)
		if h.Type == plan.Directory {
			mode = unix.X_OK
		}
		if unix.Faccessat(unix.AT_FDCWD, h.Path, mode, unix.AT_EACCESS) == nil ||
			unix.Faccessat(unix.AT_FDCWD, h.Path, unix.R_OK, unix.AT_EACCESS) == nil {
			out = append(out, h)
		}
	}
	return out
}
