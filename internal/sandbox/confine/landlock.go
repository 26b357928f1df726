package confine

import (
	"fmt"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// A Ruleset is what landlock_create_ruleset and landlock_add_rule take.
type Ruleset struct {
	HandledFS, HandledNet, Scoped uint64
	Rules                         []Rule // in the order of the plan
}

// A Rule grants Access below Path, or on descriptor FD where Path is empty.
type Rule struct {
	Path   string
	FD     int
	Access uint64
}

// newestABI is the last version of Landlock whose rights are known here. Later ones
// are used as if they were this one: what a ruleset does not handle, it does not
// restrict.
const newestABI = 11

// Sets of rights, LANDLOCK_ACCESS_FS_*.
const (
	listRights    = unix.LANDLOCK_ACCESS_FS_READ_DIR
	readRights    = listRights | unix.LANDLOCK_ACCESS_FS_READ_FILE
	executeRights = readRights | unix.LANDLOCK_ACCESS_FS_EXECUTE
	changeRights  = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE

	// Device nodes can be made by nobody: what a jail mounts is nodev, and the device
	// 0:0, which needs no capability, is a deleted file to overlayfs.
	writeRights = executeRights | changeRights |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX

	// A terminal that can be written needs ioctl too, or raw mode fails with EACCES.
	deviceRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | changeRights | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

	deviceRightsBelow = writeRights | deviceRights

	// fileRights are those that mean something on a file. The kernel answers EINVAL to
	// a rule on a file with any other (landlock_append_fs_rule).
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | changeRights |
		unix.LANDLOCK_ACCESS_FS_IOCTL_DEV | unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
)

// Landlock lowers l to the bits of its ABI.
//
// Everything about files that the ABI knows is handled: a right that no rule grants is
// refused, also one that only newer kernels can refuse. RESOLVE_UNIX (ABI 9) is among
// them. Before it, a socket that lies in a read-only directory can be connected to
// whatever the mount says; from then on only where a command may write, since its own
// project's services listen there, or where the plan grants AccessSocket. Servers inside
// the jail are never affected. The network is never handled: it is the namespace's.
//
// Postcondition: every rule has a path or one of descriptors 0 to 2, and an Access that
// is not empty, that HandledFS contains, and that on a file has rights of files only.
// HandledNet is 0. Scoped is what l asks for. No rule is lost but one that asks for
// nothing the ABI can refuse, such as AccessSocket before ABI 9: without a rule it is
// allowed.
//
// It is an error to ask for what the ABI cannot enforce, for a scope before ABI 6 or
// for anything below ABI 1: the plan is printed before it is run, and must not promise
// it. ABI 1 is lowered as it is; every ruleset of it forbids renames between
// directories, so a plan has no Landlock there.
func Landlock(l plan.Landlock) (Ruleset, error) {
	if l.ABI < 1 {
		return Ruleset{}, fmt.Errorf("lower landlock: version %d of it enforces nothing", l.ABI)
	}
	if (l.ScopeSignals || l.ScopeSockets) && l.ABI < 6 {
		return Ruleset{}, fmt.Errorf("lower landlock: scopes need version 6 of it, this is %d", l.ABI)
	}
	rs := Ruleset{HandledFS: handled(l.ABI), Scoped: scopes(l)}
	rs.Rules = make([]Rule, 0, len(l.Rules))
	for i := range l.Rules {
		r, err := lowerRule(&l.Rules[i])
		if err != nil {
			return Ruleset{}, fmt.Errorf("lower landlock: %w", err)
		}
		if r.Access &= rs.HandledFS; r.Access != 0 {
			rs.Rules = append(rs.Rules, r)
		}
	}
	return rs, nil
}

// handled returns all rights on files that an ABI knows. The rights are numbered in
// the order in which the kernel learned them.
func handled(abi int) uint64 {
	newest := uint64(unix.LANDLOCK_ACCESS_FS_MAKE_SYM)
	switch abi = min(abi, newestABI); {
	case abi >= 9:
		newest = unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	case abi >= 5:
		newest = unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	case abi >= 3:
		newest = unix.LANDLOCK_ACCESS_FS_TRUNCATE
	case abi >= 2:
		newest = unix.LANDLOCK_ACCESS_FS_REFER
	}
	return newest<<1 - 1
}

func scopes(l plan.Landlock) uint64 {
	var s uint64
	if l.ScopeSockets {
		s |= unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	if l.ScopeSignals {
		s |= unix.LANDLOCK_SCOPE_SIGNAL
	}
	return s
}

// lowerRule refuses a rule that grants nothing on what it names. Such a rule is a
// mistake of the plan's, and the kernel would refuse it without saying which it was.
func lowerRule(r *plan.LandlockRule) (Rule, error) {
	if r.Path == "" && (r.FD < 0 || r.Dir) {
		return Rule{}, fmt.Errorf("a rule names descriptor %d; only files and terminals can be named so", r.FD)
	}
	access := rights(r.Access)
	if !r.Dir {
		access &= fileRights
	}
	if access == 0 {
		return Rule{}, fmt.Errorf("access %q to %q grants nothing", r.Access, r.Path)
	}
	return Rule{Path: r.Path, FD: r.FD, Access: access}, nil
}

func rights(a plan.Access) uint64 {
	switch a {
	case plan.AccessList:
		return listRights
	case plan.AccessRead:
		return readRights
	case plan.AccessExecute:
		return executeRights
	case plan.AccessChange:
		return changeRights
	case plan.AccessWrite:
		return writeRights
	case plan.AccessDevice:
		return deviceRights
	case plan.AccessDeviceDir:
		return deviceRightsBelow
	case plan.AccessSocket:
		return unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	}
	return 0
}
