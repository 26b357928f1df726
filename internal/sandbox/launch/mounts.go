package launch

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// store is the directory of the jail's root that holds what masks are made of
// and the file by which a shim knows that it is inside. The root is read-only
// by the time a command runs.
const store = ".jail"

// The four things that hide a path, by the type of the path and by what it
// should look like. Their modes are what the command meets: a denied file of
// mode 0000 on a read-only mount gives EACCES, and EROFS to chmod.
const (
	emptyFile  = store + "/empty"
	emptyDir   = store + "/empty.d"
	deniedFile = store + "/denied"
	deniedDir  = store + "/denied.d"
)

// rootSize bounds the jail's root, which holds directories, links and copies of
// settings.
const rootSize = "16m"

// A mounter lowers the mounts of a plan. It knows which directories exist on the
// file systems that the program itself makes, so that it creates each once and
// never one on the host.
type mounter struct {
	*Program
	mounts []plan.Mount
	made   map[string]bool // directories that exist on our own file systems
	how    unix.OpenHow    // to open a target: never through a link, never upwards
	st     *unix.Statx_t
	attrs  map[uint64]*unix.MountAttr
	calls  plan.Calls
	copies int
}

// lowerMounts appends everything between the first private mount and the moment
// when no path of the host exists any more.
func lowerMounts(pr *Program, mounts []plan.Mount, calls plan.Calls) error {
	m := &mounter{
		Program: pr, mounts: mounts, calls: calls,
		made:  map[string]bool{"/": true},
		st:    new(unix.Statx_t),
		attrs: map[uint64]*unix.MountAttr{},
		how: unix.OpenHow{
			Flags:   unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC,
			Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
		},
	}
	pr.keep = append(pr.keep, m)
	m.begin()
	for i := range mounts {
		if err := m.lower(&mounts[i]); err != nil {
			return err
		}
	}
	m.seal()
	m.pivot()
	return nil
}

// begin makes the jail's root and puts it over the host's. The host's paths still
// resolve after that, because a look-up starts at the process's own root, which
// lies below the new one; so no mount hides a source, wherever the project is.
func (m *mounter) begin() {
	m.add("make mounts private", unix.SYS_MOUNT, 0, "/", 0, uintptr(unix.MS_REC|unix.MS_PRIVATE), 0)
	m.filesystem("tmpfs", unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV, root, "mode", "0755", "size", rootSize)
	m.add("attach root", unix.SYS_MOVE_MOUNT, root, "", atCWD, "/", unix.MOVE_MOUNT_F_EMPTY_PATH)
	m.mkdir("/"+store, 0o755)
	for _, f := range []struct {
		path string
		mode int
	}{{emptyFile, 0o444}, {deniedFile, 0}} {
		m.add("create", unix.SYS_MKNODAT, root, f.path, unix.S_IFREG|f.mode, 0)
	}
	m.add("create", unix.SYS_MKDIRAT, root, emptyDir, 0o555)
	m.add("create", unix.SYS_MKDIRAT, root, deniedDir, 0)
}

// filesystem makes a new file system and leaves its mount in register into.
func (m *mounter) filesystem(kind string, attr uint64, into reg, options ...string) {
	m.add("make "+kind, unix.SYS_FSOPEN, kind, unix.FSOPEN_CLOEXEC).keep = fscfg
	for i := 0; i+1 < len(options); i += 2 {
		m.add("set "+options[i], unix.SYS_FSCONFIG, fscfg, unix.FSCONFIG_SET_STRING, options[i], options[i+1], 0)
	}
	m.add("make "+kind, unix.SYS_FSCONFIG, fscfg, unix.FSCONFIG_CMD_CREATE, 0, 0, 0)
	m.add("make "+kind, unix.SYS_FSMOUNT, fscfg, unix.FSMOUNT_CLOEXEC, attr).keep = into
	m.add("close", unix.SYS_CLOSE, fscfg)
}

func (m *mounter) lower(mt *plan.Mount) error {
	first := len(m.steps)
	if !m.calls.Openat2 && mt.Kind == plan.Bind && !m.ours(mt.Destination) && mt.Source != mt.Destination {
		return fmt.Errorf("lower mount %q: it lies on the host, and without openat2 a link there could lead elsewhere", mt.Destination)
	}
	if makes(mt.Kind) && !m.ours(mt.Destination) {
		return fmt.Errorf("lower mount %q: it would be made on the host", mt.Destination)
	}
	switch mt.Kind {
	case plan.Bind:
		m.bind(mt)
	case plan.Pin:
		m.pin(mt)
	case plan.Mask, plan.Deny:
		m.hide(mt)
	case plan.Tmpfs, plan.Proc, plan.Devpts:
		m.fresh(mt)
	case plan.Link:
		m.parents(mt.Destination)
		m.add("link", unix.SYS_SYMLINKAT, mt.Source, root, rel(mt.Destination)).path = mt.Destination
	case plan.File:
		m.file(mt)
	case plan.Dir:
		m.parents(mt.Destination)
		m.mkdir(mt.Destination, int(mt.Perm))
	default:
		return fmt.Errorf("lower mount %q: unknown kind %q", mt.Destination, mt.Kind)
	}
	for i := first; i < len(m.steps); i++ {
		m.steps[i].reason = &mt.Reason
	}
	return nil
}

// makes reports whether a mount of kind k is no mount at all but something that is
// made in a directory. A File below the host's is mounted.
func makes(k plan.Kind) bool { return k == plan.Link || k == plan.Dir }

// bind clones a path of the host, checks that it is still the file that the plan
// was made for, and puts it in place. The clone is what is checked and what is
// mounted, so nothing can come between.
func (m *mounter) bind(mt *plan.Mount) {
	m.place(mt.Destination, mt.Type)
	m.add("open", unix.SYS_OPEN_TREE, atCWD, mt.Source,
		unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_SYMLINK_NOFOLLOW).keep = tree
	m.check(tree, mt.ID, mt.Source)
	m.attach(mt, attrOf(mt))
}

// pin makes a mount point of what is there already. A mount point cannot be
// renamed or removed, and neither can a directory while it is one.
func (m *mounter) pin(mt *plan.Mount) {
	m.open(mt.Destination)
	m.check(target, mt.ID, mt.Destination)
	m.add("open", unix.SYS_OPEN_TREE, target, "",
		unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_EMPTY_PATH).keep = tree
	m.attach(mt, attrOf(mt))
}

// hide covers a path with a thing of the jail's own. The target is opened first
// and compared: a name that has become another file since the walk is a reason
// to start over, not to cover whatever bears the name now.
func (m *mounter) hide(mt *plan.Mount) {
	m.open(mt.Destination)
	m.check(target, mt.ID, mt.Destination)
	with := cover(mt)
	if len(mt.Data) > 0 || mt.Mtime != 0 {
		with = m.copy(mt)
	}
	m.add("open", unix.SYS_OPEN_TREE, root, with, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC).keep = tree
	m.attach(mt, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV|unix.MOUNT_ATTR_NOEXEC)
}

func cover(mt *plan.Mount) string {
	switch {
	case mt.Kind == plan.Mask && mt.Type == plan.Directory:
		return emptyDir
	case mt.Kind == plan.Mask:
		return emptyFile
	case mt.Type == plan.Directory:
		return deniedDir
	}
	return deniedFile
}

// fresh mounts a file system of the jail's own.
func (m *mounter) fresh(mt *plan.Mount) {
	m.place(mt.Destination, plan.Directory)
	attr := uint64(unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV)
	if mt.NoExec {
		attr |= unix.MOUNT_ATTR_NOEXEC
	}
	switch mt.Kind {
	case plan.Proc:
		m.filesystem("proc", attr|unix.MOUNT_ATTR_NOEXEC, tree)
	case plan.Devpts:
		m.filesystem("devpts", unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC, tree, "ptmxmode", "0666", "mode", "0620")
	default:
		m.filesystem("tmpfs", attr, tree, tmpfsOptions(mt)...)
	}
	m.move(mt.Destination)
}

func tmpfsOptions(mt *plan.Mount) []string {
	o := []string{"mode", "0" + strconv.FormatUint(uint64(mt.Perm), 8)}
	if mt.Size > 0 {
		o = append(o, "size", strconv.FormatUint(mt.Size, 10))
	}
	if mt.Inodes > 0 {
		o = append(o, "nr_inodes", strconv.FormatUint(mt.Inodes, 10))
	}
	return o
}

// file writes a file on the jail's root, which becomes read-only as a whole. Where
// it must appear elsewhere, in a home that stays writable or over a file of the
// project, it is mounted from there.
func (m *mounter) file(mt *plan.Mount) {
	if m.sealed(mt.Destination) {
		m.parents(mt.Destination)
		m.write(rel(mt.Destination), mt)
		return
	}
	name := m.copy(mt)
	m.place(mt.Destination, plan.Regular)
	m.check(target, mt.ID, mt.Destination)
	m.add("open", unix.SYS_OPEN_TREE, root, name, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC).keep = tree
	m.attach(mt, unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV|unix.MOUNT_ATTR_NOEXEC)
}

// sealed reports whether path lies on the jail's root itself.
func (m *mounter) sealed(path string) bool {
	for i := range m.mounts {
		mt := &m.mounts[i]
		if mt.Destination != path && mt.Kind != plan.Dir && plan.Below(path, mt.Destination) {
			return false
		}
	}
	return true
}

// attach sets the attributes of the mount in register tree, on everything below
// it too, and moves it onto target.
func (m *mounter) attach(mt *plan.Mount, attr uint64) {
	m.add("restrict", unix.SYS_MOUNT_SETATTR, tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE,
		m.attr(attr), unsafe.Sizeof(unix.MountAttr{})).path = mt.Destination
	m.move(mt.Destination)
}

func (m *mounter) move(path string) {
	m.add("mount", unix.SYS_MOVE_MOUNT, tree, "", target, "",
		unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH).path = path
	m.add("close", unix.SYS_CLOSE, tree)
	m.add("close", unix.SYS_CLOSE, target)
}

func (m *mounter) attr(set uint64) uintptr {
	a, ok := m.attrs[set]
	if !ok {
		a = &unix.MountAttr{Attr_set: set}
		m.attrs[set] = a
	}
	return uintptr(unsafe.Pointer(a))
}

func attrOf(mt *plan.Mount) uint64 {
	attr := uint64(unix.MOUNT_ATTR_NOSUID)
	if !mt.Device {
		attr |= unix.MOUNT_ATTR_NODEV
	}
	if mt.NoExec {
		attr |= unix.MOUNT_ATTR_NOEXEC
	}
	if mt.ReadOnly {
		attr |= unix.MOUNT_ATTR_RDONLY
	}
	return attr
}

// place makes sure that path exists, where it is ours to create, and opens it.
func (m *mounter) place(path string, t plan.Type) {
	if m.ours(path) {
		m.parents(path)
		if t == plan.Directory {
			m.mkdir(path, 0o755)
		} else {
			m.add("create", unix.SYS_MKNODAT, root, rel(path), unix.S_IFREG|0o644, 0).path = path
		}
	}
	m.open(path)
}

// open opens path below the jail's root into register target. Anything that is
// a link by now, at any place of the path, is an error: it was none in the plan.
//
// Without openat2 only the last component is safe from links. Then it is the
// comparison that follows which notices that another file was opened, and lower
// refuses what is not compared.
func (m *mounter) open(path string) {
	if m.calls.Openat2 {
		m.add("open", unix.SYS_OPENAT2, root, rel(path), uintptr(unsafe.Pointer(&m.how)), unsafe.Sizeof(m.how)).keep = target
	} else {
		m.add("open", unix.SYS_OPENAT, root, rel(path), uintptr(m.how.Flags), 0).keep = target
	}
	m.steps[len(m.steps)-1].path = path
}

// check compares the file in register r with id.
func (m *mounter) check(r reg, id plan.ID, path string) {
	if id.IsZero() {
		return
	}
	m.add("look at", unix.SYS_STATX, r, "", unix.AT_EMPTY_PATH|unix.AT_SYMLINK_NOFOLLOW,
		unix.STATX_INO, uintptr(unsafe.Pointer(m.st))).path = path
	m.compare(m.st, id, path)
}

// ours reports whether path lies on a file system that the program made, where
// creating a mount point touches nothing of the host.
func (m *mounter) ours(path string) bool {
	best, kind := "/", plan.Tmpfs
	for i := range m.mounts {
		mt := &m.mounts[i]
		if mt.Destination == path {
			break
		}
		if plan.Below(path, mt.Destination) && len(mt.Destination) >= len(best) {
			best, kind = mt.Destination, mt.Kind
		}
	}
	return kind == plan.Tmpfs || kind == plan.Dir
}

// parents creates the directories above path that are missing on our own file
// systems.
func (m *mounter) parents(path string) {
	for i := 1; i < len(path); i++ {
		if path[i] == '/' && !m.made[path[:i]] && m.ours(path[:i]) {
			m.mkdir(path[:i], 0o755)
		}
	}
}

// mkdir creates a directory once. One that a mount of the plan made before is
// not an error.
func (m *mounter) mkdir(path string, mode int) {
	if m.made[path] {
		return
	}
	m.made[path] = true
	s := m.add("create", unix.SYS_MKDIRAT, root, rel(path), mode)
	s.path, s.ok = path, unix.EEXIST
}

// seal makes the file systems read-only that had to be writable while mount
// points were made on them, the jail's root last.
func (m *mounter) seal() {
	for i := range m.mounts {
		mt := &m.mounts[i]
		if mt.Kind != plan.Tmpfs || !mt.ReadOnly {
			continue
		}
		s := m.add("seal", unix.SYS_MOUNT_SETATTR, root, rel(mt.Destination), unix.AT_SYMLINK_NOFOLLOW,
			m.attr(unix.MOUNT_ATTR_RDONLY), unsafe.Sizeof(unix.MountAttr{}))
		s.path, s.reason = mt.Destination, &mt.Reason
	}
	m.add("seal root", unix.SYS_MOUNT_SETATTR, root, "", unix.AT_EMPTY_PATH,
		m.attr(unix.MOUNT_ATTR_RDONLY), unsafe.Sizeof(unix.MountAttr{}))
}

// pivot leaves the host's root. From here on no path of the host exists.
func (m *mounter) pivot() {
	m.add("enter root", unix.SYS_FCHDIR, root)
	m.add("change root", unix.SYS_PIVOT_ROOT, ".", ".")
	m.add("leave the host's root", unix.SYS_UMOUNT2, ".", unix.MNT_DETACH)
	m.add("enter root", unix.SYS_CHDIR, "/")
	m.add("close", unix.SYS_CLOSE, root)
}

// rel makes an absolute path relative to the jail's root.
func rel(path string) string { return strings.TrimPrefix(path, "/") }
