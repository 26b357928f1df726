package detect

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// systemTerminfo is where the system keeps descriptions of terminals.
var systemTerminfo = [...]string{"/usr/share/terminfo", "/lib/terminfo", "/etc/terminfo", "/usr/lib/terminfo"}

// Terminfo returns the description of the terminal term that programs would read
// in the home, or where $TERMINFO says: new terminals bring their own and install
// it there. It is one file, and must be what it claims to be; nothing is returned
// where the system has a description.
func Terminfo(term, named, home string) []plan.Need {
	if term == "" || term == "dumb" || strings.ContainsAny(term, "/\x00") || term[0] == '.' {
		return nil
	}
	entry := term[:1] + "/" + term
	for _, dir := range systemTerminfo {
		if unix.Faccessat(unix.AT_FDCWD, join(dir, entry), unix.F_OK, 0) == nil {
			return nil
		}
	}
	for _, dir := range [...]string{named, join(home, ".terminfo")} {
		path := join(filepath.Clean(dir), entry)
		if !filepath.IsAbs(path) || IsSystem(path) || physical(path) != path || !isTerminfo(path) {
			continue
		}
		if src, err := Stat(path); err == nil && src.Type == plan.Regular {
			return []plan.Need{{Source: src, Reason: plan.Reason{Layer: "toolchain", Text: "the terminal " + term}}}
		}
	}
	return nil
}

// isTerminfo reports whether a file is a compiled description, as term(5) says it
// begins: the magic number, little-endian, and a name that fits.
func isTerminfo(path string) bool {
	var buf [12]byte
	n, err := readStart(unix.AT_FDCWD, path, buf[:])
	if err != nil || n < len(buf) {
		return false
	}
	magic := uint16(buf[0]) | uint16(buf[1])<<8
	names := uint16(buf[2]) | uint16(buf[3])<<8
	return (magic == 0o432 || magic == 0o1036) && names > 0 && names <= 512
}
