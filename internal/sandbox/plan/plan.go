package plan

// A Plan says everything the jail will ask of the kernel for one command. It is
// built once and never changed; printing it and executing it read the same value.
type Plan struct {
	Mode       Mode
	ModeReason Reason
	Root       Root
	Process    Process
	Namespaces []Namespace
	Mounts     []Mount // in order; a later mount covers an earlier one
	Rlimits    []Rlimit
	Timeout    uint64    // milliseconds after which everything in the jail is ended; 0: never
	Landlock   *Landlock // nil means not used; a Note says why
	Seccomp    *Seccomp
	Hidden     []Hit        // masks and denies, in the order of their paths
	Open       []Open       // what a pattern named and its content acquitted
	Environ    Environ      // which variables the command gets, by name
	Keep       []Descriptor // inherited descriptors above 2 that stay open
	Stdio      [3]Descriptor
	Repository string // git's directory outside of the project that is shown; empty: none
	Enclosing  Enclosing
	Owner      Owner
	Calls      Calls
	Weakened   []Reason // what somebody allowed beyond what is built in
	Notes      []Note   // what was ignored, loosened or lost
}

// A Mode is how much a command is trusted with.
type Mode string

// The modes, from the loosest to the strictest.
const (
	Normal   Mode = "normal"
	Worker   Mode = "worker"
	Lockdown Mode = "lockdown"
)

// A Root is the directory that a command may work in.
type Root struct {
	Path   string // physical and absolute
	As     string // how the caller reached it; equal to Path unless through a link
	ID     ID
	UID    uint32
	GID    uint32
	Perm   uint32 // permission bits, 07777
	Marker bool   // a .ai-jail directory made it one; otherwise asked for by hand
	Why    string
}

// An ID names a file on this host for as long as it exists: device and inode
// number as stat(2) reports them.
type ID struct{ Dev, Ino uint64 }

// IsZero reports whether id names nothing, which means: do not compare.
func (id ID) IsZero() bool { return id == ID{} }

// A Type is what a path names, the link itself where it is one.
type Type string

// The types of file that a plan tells apart.
const (
	Directory   Type = "directory"
	Regular     Type = "file"
	Symlink     Type = "link"
	CharDevice  Type = "device"
	BlockDevice Type = "block device"
	Socket      Type = "socket"
	FIFO        Type = "pipe"
	Absent      Type = ""
)

// TypeOf is the type in a mode of stat(2), whose numbers are in inode(7).
func TypeOf(mode uint32) Type {
	switch mode & 0o170000 {
	case 0o040000:
		return Directory
	case 0o100000:
		return Regular
	case 0o120000:
		return Symlink
	case 0o020000:
		return CharDevice
	case 0o060000:
		return BlockDevice
	case 0o140000:
		return Socket
	case 0o010000:
		return FIFO
	}
	return Absent
}

// A Source is one path of the host as detect saw it. The launch compares ID with
// what it finds when it opens the path, and starts over where they differ.
type Source struct {
	Path string
	Type Type
	ID   ID
	Link string // the text of a link
	UID  uint32
	Perm uint32 // permission bits, 07777
}

// A Process is what is executed, in the words of the OCI runtime specification.
type Process struct {
	Path string   // the file that execve gets: absolute, as found on PATH
	Args []string // Args[0] included
	Env  []string // NAME=value
	Cwd  string
	Home string // its home, where that is in memory and vanishes with the command
}

// An Owner is the one identity that exists inside: the caller's own.
type Owner struct{ UID, GID uint32 }

// Calls says which of the newer system calls the launch may use. Where one is
// missing it makes do with an older one.
type Calls struct {
	Openat2    bool
	CloseRange bool
}

// A Namespace is one of namespaces(7).
type Namespace string

// The namespaces that a jail may have of its own.
const (
	UserNS    Namespace = "user"
	MountNS   Namespace = "mnt"
	PidNS     Namespace = "pid"
	IPCNS     Namespace = "ipc"
	UTSNS     Namespace = "uts"
	CgroupNS  Namespace = "cgroup"
	NetworkNS Namespace = "net"
)

// A Kind is what a Mount does.
type Kind string

// The kinds of mount. Only Bind reads a path of the host.
const (
	Bind   Kind = "bind"   // Source, as it is on the host, appears at Destination
	Pin    Kind = "pin"    // what is at Destination becomes a mount point, so that it cannot be renamed
	Tmpfs  Kind = "tmpfs"  // an empty file system in memory
	Proc   Kind = "proc"   // a fresh /proc of the jail's own processes
	Devpts Kind = "devpts" // terminals of the jail's own
	Link   Kind = "link"   // a symbolic link with the text Source
	File   Kind = "file"   // a read-only file that holds Data
	Dir    Kind = "dir"    // an empty directory of the jail's root
	Mask   Kind = "mask"   // Destination reads as empty
	Deny   Kind = "deny"   // Destination cannot be opened: EACCES
)

// A Mount is one entry of the command's view of the file system.
type Mount struct {
	Kind        Kind
	Source      string // Bind: a path of the host. Link: the text
	Destination string // absolute, clean, and free of links
	Type        Type   // what Destination is: Directory, Regular, Symlink, CharDevice, Socket
	ID          ID     // Bind: of Source. Pin, Mask, Deny: of Destination. Zero: not compared
	Make        bool   // Bind: Source is a store of jail's own that a run creates first
	ReadOnly    bool
	Device      bool   // device nodes work below it
	NoExec      bool   // nothing below it can be executed
	Size        uint64 // Tmpfs: bytes, 0 means the kernel's default. Deny: of the file, as stat(2) says
	Mtime       int64  // Deny: as stat(2) says, in seconds; 0 for now
	Inodes      uint64 // Tmpfs: files; 0 means the kernel's default
	Perm        uint32 // Tmpfs, Dir, File, Mask with Data: permission bits
	Data        []byte // File; Mask: what is read, if not nothing
	Pattern     string // Mask, Deny: what named it, in the project
	Reason      Reason
}

// hides reports whether a mount is there to hide what it covers.
func (m *Mount) hides() bool { return m.Kind == Mask || m.Kind == Deny }

// A Reason answers "why can it see this?".
type Reason struct {
	Layer string // built in, preset, toolchain, host, user, project, flag
	File  string // the file that asked for it, where one did
	Line  int
	Text  string // in words, lower case
}

// An Rlimit is one of setrlimit(2). Both limits are set to the values here.
type Rlimit struct {
	Name       string // "NPROC"
	Soft, Hard uint64
	Reason     Reason
}

// An Action is what hides a path.
type Action string

// The two ways to hide a path.
const (
	ActMask Action = "mask" // it reads as empty
	ActDeny Action = "deny" // it cannot be opened
)

// A Hit is a path of the project that a pattern hides.
type Hit struct {
	Path    string // absolute
	Type    Type
	ID      ID
	Action  Action
	Pattern string
	Reason  Reason
	Tracked bool  // by git: then what hides a file has what git knows of it
	Size    int64 // of a file
	Mtime   int64 // its last change, in seconds since 1970
	Exec    bool  // its owner may run it
}

// An Open is a path that a pattern named and that stays readable, and why.
type Open struct {
	Path    string
	Pattern string
	Why     string
}

// An Environ says which variables of the caller's the command gets. It holds
// names only: no value is ever printed.
type Environ struct {
	Kept    []string // sorted
	Changed []string // sorted; kept with another value, such as PATH
	Dropped []Dropped
}

// A Dropped variable and the reason, which never quotes its value.
type Dropped struct{ Name, Why string }

// A Descriptor is a file descriptor that the caller handed over.
type Descriptor struct {
	FD        int
	Type      Type
	Terminal  bool
	ReadOnly  bool // opened for reading only
	WriteOnly bool // opened for writing only
	Closed    bool
	Why       string
}

// A Note is something that a stranger should know about this plan: what the host
// could not give, what was ignored, what somebody loosened.
type Note struct {
	Text     string
	Details  []string // one a line, for a dry run
	Hint     string   // what to type about it; may be empty
	Stricter bool     // the command gets less than somebody asked for, and nothing is weaker
	Said     bool     // by an earlier run, so that only a dry run says it again
	Reason   Reason
}
