package detect

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// Homes returns the directories that count as the caller's home, clean and
// absolute: the one that passwd names, then envHome ($HOME) where it differs,
// then the physical forms of both where a link leads to them.
//
// A home is hidden inside and refused as a root, and nothing else follows from
// it. So a lying $HOME only hides more, and can never take the real home's place:
// that one stays in the list whatever $HOME says. The list is empty for a daemon
// that has neither.
func Homes(uid int, envHome string, passwd func(uid int) (string, bool)) []string {
	var named, physicals []string
	add := func(home string) {
		if !filepath.IsAbs(home) || len(home) >= unix.PathMax {
			return // another directory after each cd, or none at all
		}
		home = filepath.Clean(home)
		if !mayBeHome(home) || slices.Contains(named, home) {
			return
		}
		if real := physical(home); mayBeHome(real) {
			named = append(named, home)
			physicals = append(physicals, real)
		}
	}
	if home, ok := passwd(uid); ok {
		add(home)
	}
	add(envHome)
	for _, real := range physicals {
		if !slices.Contains(named, real) {
			named = append(named, real)
		}
	}
	return named
}

// HomeLinks returns every link that one of homes leads through, in the order of
// their paths: the home itself, or /home where it is a link to /var/home. Inside,
// these are needed for the names of the homes to lead to the homes.
func HomeLinks(homes []string) []plan.Source {
	var links []plan.Source
	for _, home := range homes {
		hops, _, _ := follow(home) // what there is, even if it leads nowhere in the end
		for _, hop := range hops {
			if !slices.ContainsFunc(links, func(l plan.Source) bool { return l.Path == hop.Path }) {
				links = append(links, hop)
			}
		}
	}
	slices.SortFunc(links, byPath)
	return links
}

// mayBeHome reports whether a clean path can be a home at all.
//
// The system's own directories are what daemons have as their home in passwd, and
// hiding them would leave no program to run; a link to one of them is no better.
func mayBeHome(path string) bool {
	switch path {
	case "/", "/opt", "/var", "/run":
		return false
	}
	return !withinAny(path, []string{
		"/bin", "/boot", "/dev", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/libx32",
		"/nix", "/nonexistent", "/proc", "/sbin", "/snap", "/sys", "/usr", "/var/empty",
	})
}

// PasswdHome is the home directory that /etc/passwd names for uid.
//
// It does not use os/user: LookupId answers from $HOME for a user who has no
// line in the file (it asks Current first), and $HOME must not steer what is
// called the home. It also reads the file twice. Here it is three calls. Users of
// a directory service are not found; for them $HOME is the home.
func PasswdHome(uid int) (string, bool) { return passwdHome("/etc/passwd", uid) }

func passwdHome(file string, uid int) (string, bool) {
	a, ok := passwdAccount(file, uid)
	return a.Home, ok && a.Home != ""
}

// An Account is a line of passwd(5).
type Account struct{ Name, GID, Home string }

// PasswdAccount is the account that /etc/passwd has for uid.
func PasswdAccount(uid int) (Account, bool) { return passwdAccount("/etc/passwd", uid) }

func passwdAccount(file string, uid int) (Account, bool) {
	fd, err := unix.Open(file, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return Account{}, false
	}
	defer unix.Close(fd)
	want := strconv.Itoa(uid)
	buf := make([]byte, 4<<10)
	kept := 0 // bytes at the start of buf: a line that has not ended yet
	for kept < len(buf) {
		n, err := unix.Read(fd, buf[kept:])
		if err == unix.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			return accountOfLine(buf[:kept], want)
		}
		a, ok, rest := accountInLines(buf[:kept+n], want)
		if ok {
			return a, true
		}
		kept = copy(buf, rest)
	}
	return Account{}, false // a line of 4 KiB: not a passwd file
}

// accountInLines looks at each whole line of text; rest is what follows the last.
func accountInLines(text []byte, uid string) (a Account, ok bool, rest []byte) {
	for {
		line, after, ended := bytes.Cut(text, []byte{'\n'})
		if !ended {
			return Account{}, false, text
		}
		if a, ok := accountOfLine(line, uid); ok {
			return a, true, after
		}
		text = after
	}
}

// accountOfLine reads a line of passwd(5) whose third field is uid. A line that
// begins with + or - is a directive of NIS and names nobody.
func accountOfLine(line []byte, uid string) (Account, bool) {
	if len(line) == 0 || line[0] == '+' || line[0] == '-' {
		return Account{}, false
	}
	var fields [6][]byte // name, password, uid, gid, comment, home; the shell comes after
	for i := range fields {
		var more bool
		if fields[i], line, more = bytes.Cut(line, []byte{':'}); !more {
			return Account{}, false
		}
	}
	if string(fields[2]) != uid {
		return Account{}, false
	}
	return Account{Name: string(fields[0]), GID: string(fields[3]), Home: string(fields[5])}, true
}
