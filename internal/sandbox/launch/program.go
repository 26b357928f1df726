package launch

import (
	"fmt"
	"io"
	"strings"
	"syscall"
	"unsafe"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A Program is the list of system calls that makes a jail of the forked child,
// in order. It is built before the fork and never changed after it.
type Program struct {
	steps []step
	arena arena
	keep  []any // what the steps point at and nothing else holds
}

// A step is one system call, or, where stat is set, one comparison.
//
// The child reads it without a Go runtime, so it holds numbers and pointers to
// memory that was allocated before the fork, nothing that must be interpreted.
type step struct {
	nr   uintptr
	a    [6]uintptr
	from [6]reg // argument i is the value of this register
	keep reg    // the register that gets the result
	ok   syscall.Errno
	out  *int32 // also gets the result: the descriptor in a Landlock rule

	stat *unix.Statx_t // compare what an earlier statx wrote here ...
	id   plan.ID       // ... with the file that the plan was made for

	act    string       // in words: "mount", for messages
	path   string       // what it is about
	reason *plan.Reason // who asked for it
}

// A reg names a place for the result of a call, a descriptor in all cases.
type reg uint8

const (
	none   reg = iota
	root       // the jail's root, a tmpfs
	tree       // the mount that is being put in place
	target     // where it is put
	fscfg      // a file system that is being configured
	rules      // the Landlock ruleset
	scratch
	nregs
)

var regNames = [nregs]string{"", "root", "tree", "target", "fscfg", "rules", "scratch"}

// atCWD is AT_FDCWD as a register-wide number.
const atCWD = ^uintptr(99)

// An arena keeps the C strings of a program in a few large pieces, which the
// garbage collector never moves.
type arena struct {
	free []byte
	all  [][]byte
}

const arenaPiece = 16 << 10

// str returns the address of s as a C string.
func (a *arena) str(s string) uintptr {
	n := len(s) + 1
	if len(a.free) < n {
		a.free = make([]byte, max(arenaPiece, n))
		a.all = append(a.all, a.free)
	}
	b := a.free[:n:n]
	a.free = a.free[n:]
	copy(b, s)
	return uintptr(unsafe.Pointer(&b[0]))
}

// ptr returns the address of what p points to and keeps it alive.
func ptr[T any](pr *Program, p *T) uintptr {
	pr.keep = append(pr.keep, p)
	return uintptr(unsafe.Pointer(p))
}

// add appends a call and returns it for further words.
func (pr *Program) add(act string, nr uintptr, args ...any) *step {
	s := step{nr: nr, act: act}
	for i, v := range args {
		switch v := v.(type) {
		case reg:
			s.from[i] = v
		case string:
			s.a[i] = pr.arena.str(v)
			if s.path == "" {
				s.path = v
			}
		case uintptr:
			s.a[i] = v
		case int:
			s.a[i] = uintptr(v)
		case uint64:
			s.a[i] = uintptr(v)
		default:
			panic(fmt.Sprintf("launch: argument %d of %s is a %T", i, act, v))
		}
	}
	pr.steps = append(pr.steps, s)
	return &pr.steps[len(pr.steps)-1]
}

// compare appends a check that the file whose statx an earlier step wrote to st
// is id.
func (pr *Program) compare(st *unix.Statx_t, id plan.ID, path string) {
	pr.steps = append(pr.steps, step{stat: st, id: id, act: "compare", path: path})
}

// Len is the number of steps.
func (pr *Program) Len() int { return len(pr.steps) }

// WriteText prints one line a step: what a golden test compares and what
// --dry-run --program shows.
func (pr *Program) WriteText(w io.Writer) error {
	for i := range pr.steps {
		if _, err := io.WriteString(w, pr.steps[i].String()+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func (s *step) String() string {
	var b strings.Builder
	if s.stat != nil {
		b.WriteString("compare")
	} else {
		b.WriteString(callName(s.nr))
	}
	for _, r := range s.from {
		if r != none {
			b.WriteString(" " + regNames[r])
		}
	}
	if s.path != "" {
		fmt.Fprintf(&b, " %q", s.path)
	}
	if s.keep != none {
		b.WriteString(" = " + regNames[s.keep])
	}
	fmt.Fprintf(&b, "  # %s", s.act)
	if s.reason != nil && s.reason.Text != "" {
		b.WriteString(": " + s.reason.Text)
	}
	return b.String()
}

// callName names the calls that a program is made of.
func callName(nr uintptr) string {
	for _, c := range calls {
		if c.nr == nr {
			return c.name
		}
	}
	return fmt.Sprintf("syscall %d", nr)
}

var calls = [...]struct {
	nr   uintptr
	name string
}{
	{unix.SYS_CAPSET, "capset"},
	{unix.SYS_CHDIR, "chdir"},
	{unix.SYS_CLOSE, "close"},
	{unix.SYS_CLOSE_RANGE, "close_range"},
	{unix.SYS_FCHDIR, "fchdir"},
	{unix.SYS_FCNTL, "fcntl"},
	{unix.SYS_FSCONFIG, "fsconfig"},
	{unix.SYS_FSMOUNT, "fsmount"},
	{unix.SYS_FSOPEN, "fsopen"},
	{unix.SYS_IOCTL, "ioctl"},
	{unix.SYS_KEYCTL, "keyctl"},
	{unix.SYS_LANDLOCK_ADD_RULE, "landlock_add_rule"},
	{unix.SYS_LANDLOCK_CREATE_RULESET, "landlock_create_ruleset"},
	{unix.SYS_LANDLOCK_RESTRICT_SELF, "landlock_restrict_self"},
	{unix.SYS_MKDIRAT, "mkdirat"},
	{unix.SYS_MKNODAT, "mknodat"},
	{unix.SYS_MOUNT, "mount"},
	{unix.SYS_MOUNT_SETATTR, "mount_setattr"},
	{unix.SYS_MOVE_MOUNT, "move_mount"},
	{unix.SYS_OPENAT, "openat"},
	{unix.SYS_OPENAT2, "openat2"},
	{unix.SYS_OPEN_TREE, "open_tree"},
	{unix.SYS_PIVOT_ROOT, "pivot_root"},
	{unix.SYS_PRCTL, "prctl"},
	{unix.SYS_PRLIMIT64, "prlimit64"},
	{unix.SYS_READ, "read"},
	{unix.SYS_SECCOMP, "seccomp"},
	{unix.SYS_SOCKET, "socket"},
	{unix.SYS_STATX, "statx"},
	{unix.SYS_SYMLINKAT, "symlinkat"},
	{unix.SYS_UMOUNT2, "umount2"},
	{unix.SYS_WRITE, "write"},
}
