package launch

import (
	"fmt"
	"runtime"
	"unsafe"

	"jail/internal/sandbox/confine"
	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// lowerIdentity maps the caller's own user and group onto themselves: the only
// identities that exist inside. The child does it, as user_namespaces(7) lets the
// owner of a namespace do for one user and one group, since otherwise it and the
// launcher would wait for each other. setgroups must be denied first.
func lowerIdentity(pr *Program, o plan.Owner) {
	for _, f := range []struct{ path, text string }{
		{"/proc/self/setgroups", "deny"},
		{"/proc/self/uid_map", fmt.Sprintf("%d %d 1", o.UID, o.UID)},
		{"/proc/self/gid_map", fmt.Sprintf("%d %d 1", o.GID, o.GID)},
	} {
		pr.add("open", unix.SYS_OPENAT, atCWD, f.path, unix.O_WRONLY|unix.O_CLOEXEC, 0).keep = scratch
		pr.add("write", unix.SYS_WRITE, scratch, pr.arena.str(f.text), len(f.text)).path = f.path
		pr.add("close", unix.SYS_CLOSE, scratch)
	}
}

// lowerLimits appends what holds for pid 1 and the command alike and needs no
// privilege. It comes after the mounts, since a limit on open files or processes
// must not stop the set-up.
func lowerLimits(pr *Program, p *plan.Plan) error {
	for i := range p.Rlimits {
		l := &p.Rlimits[i]
		res, ok := rlimits[l.Name]
		if !ok {
			return fmt.Errorf("lower limits: unknown limit %q", l.Name)
		}
		s := pr.add("limit "+l.Name, unix.SYS_PRLIMIT64, 0, res, ptr(pr, &unix.Rlimit{Cur: l.Soft, Max: l.Hard}), 0)
		s.reason = &l.Reason
	}
	// The caller's session keyring would be inherited with every key in it. Where this
	// is refused (no keyrings, a container's filter) the seccomp filter still is there.
	pr.add("leave the keyring", unix.SYS_KEYCTL, unix.KEYCTL_JOIN_SESSION_KEYRING, 0).ok = anyErrno
	return nil
}

var rlimits = map[string]int{
	"CORE": unix.RLIMIT_CORE, "NOFILE": unix.RLIMIT_NOFILE, "NPROC": unix.RLIMIT_NPROC,
}

// lowerLoopback brings up lo in a network namespace of the jail's own, where it
// starts down.
func lowerLoopback(pr *Program) {
	ifr := &struct {
		name  [unix.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: unix.IFF_UP | unix.IFF_RUNNING}
	copy(ifr.name[:], "lo")
	pr.add("open a socket", unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0).keep = scratch
	pr.add("bring up loopback", unix.SYS_IOCTL, scratch, unix.SIOCSIFFLAGS, ptr(pr, ifr))
	pr.add("close", unix.SYS_CLOSE, scratch)
}

// lowerDescriptors marks all descriptors above 2 to be closed by execve, then
// takes back the few that the plan keeps. An inherited directory would be a door
// to the host's files, an inherited socket one to its services.
//
// Where close_range is missing, open lists them.
func lowerDescriptors(pr *Program, keep []plan.Descriptor, open []int) {
	if open == nil {
		pr.add("close descriptors", unix.SYS_CLOSE_RANGE, 3, uintptr(^uint32(0)), unix.CLOSE_RANGE_CLOEXEC)
	}
	for _, fd := range open {
		pr.add("close a descriptor", unix.SYS_FCNTL, fd, unix.F_SETFD, unix.FD_CLOEXEC).ok = unix.EBADF
	}
	for _, d := range keep {
		pr.add("keep a descriptor", unix.SYS_FCNTL, d.FD, unix.F_SETFD, 0)
	}
}

// lowerWipe overwrites the launcher's own arguments and environment in pid 1's
// copy of its memory: /proc/1/cmdline needs no permission to be read.
func lowerWipe(pr *Program, from, to uintptr) {
	if to <= from {
		return
	}
	pr.add("open zeroes", unix.SYS_OPENAT, atCWD, "/dev/zero", unix.O_RDONLY|unix.O_CLOEXEC, 0).keep = scratch
	pr.add("wipe arguments and environment", unix.SYS_READ, scratch, from, to-from)
	pr.add("close", unix.SYS_CLOSE, scratch)
}

// Secure bits as in linux/securebits.h: exec gives a root caller nothing back,
// and all of it is locked.
const secureBits = 1<<0 | 1<<1 | // NOROOT
	1<<2 | 1<<3 | // NO_SETUID_FIXUP
	1<<5 | // KEEP_CAPS stays off
	1<<6 | 1<<7 // NO_CAP_AMBIENT_RAISE

// lastCap is far above the newest capability; the kernel answers EINVAL to what
// it does not know.
const lastCap = 63

// lowerPrivileges gives up everything that the new user namespace granted. The
// order matters: dropping from the bounding set and locking the secure bits need
// CAP_SETPCAP, which the last step takes away.
func lowerPrivileges(pr *Program) {
	pr.add("lock the secure bits", unix.SYS_PRCTL, unix.PR_SET_SECUREBITS, secureBits, 0, 0, 0)
	pr.add("drop ambient capabilities", unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	for c := 0; c <= lastCap; c++ {
		pr.add("drop a capability", unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c, 0, 0, 0).ok = unix.EINVAL
	}
	pr.add("no new privileges", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	hdr := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	pr.add("drop capabilities", unix.SYS_CAPSET, ptr(pr, hdr), ptr(pr, &[2]unix.CapUserData{}))
	// Last, since changing credentials resets it: pid 1 carries the launcher's
	// memory, and nobody inside may look into it.
	pr.add("no dump", unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

// A pathBeneath is struct landlock_path_beneath_attr, whose 12 bytes are packed.
type pathBeneath struct {
	access uint64
	fd     int32
}

// lowerLandlock opens every path of the rules in the final view, since a rule
// holds for the file that was opened and not for its name, and restricts pid 1.
func lowerLandlock(pr *Program, l *plan.Landlock) error {
	rs, err := confine.Landlock(*l)
	if err != nil {
		return fmt.Errorf("lower landlock: %w", err)
	}
	attr := &struct{ fs, net, scoped uint64 }{rs.HandledFS, rs.HandledNet, rs.Scoped}
	size := unsafe.Sizeof(*attr)
	switch {
	case l.ABI < 4:
		size = 8
	case l.ABI < 6:
		size = 16
	}
	pr.add("make ruleset", unix.SYS_LANDLOCK_CREATE_RULESET, ptr(pr, attr), size, 0).keep = rules
	beneath := make([]pathBeneath, len(rs.Rules))
	for i, r := range rs.Rules {
		b := &beneath[i]
		b.access, b.fd = r.Access, int32(r.FD)
		if r.Path != "" {
			s := pr.add("open for a rule", unix.SYS_OPENAT, atCWD, r.Path, unix.O_PATH|unix.O_CLOEXEC, 0)
			s.keep, s.out = scratch, &b.fd
		}
		pr.add("add a rule", unix.SYS_LANDLOCK_ADD_RULE, rules, 1, ptr(pr, b), 0).path = r.Path
		if r.Path != "" {
			pr.add("close", unix.SYS_CLOSE, scratch)
		}
	}
	pr.add("restrict by landlock", unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0)
	pr.add("close", unix.SYS_CLOSE, rules)
	return nil
}

// lowerSeccomp loads the filter, the very last thing: it refuses what the steps
// before it do.
func lowerSeccomp(pr *Program, s *plan.Seccomp) error {
	f, err := confine.Filter(*s, runtime.GOARCH)
	if err != nil {
		return fmt.Errorf("lower seccomp: %w", err)
	}
	pr.keep = append(pr.keep, f)
	prog := &unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	pr.add("restrict by seccomp", unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, ptr(pr, prog))
	return nil
}
