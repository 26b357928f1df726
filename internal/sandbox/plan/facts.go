package plan

// Facts are what this host offers and what detect saw on it. They are plain data,
// so that a test can lower them one by one.
type Facts struct {
	Owner     Owner
	Homes     []string // the home that passwd names first, then $HOME where it differs; physical
	HomeLinks []Source // links by which a home is reached
	Kernel    Kernel
	Memory    uint64      // bytes of RAM
	System    []Source    // /usr, /bin, /etc, /opt, /sys ...: what exists of them, links as links
	Etc       []Source    // what lockdown shows of /etc
	Hidden    []Source    // below System, what others may not read
	SysHidden []Source    // parts of /sys that nobody needs
	Proc      []ProcEntry // entries of /proc that must be read-only or hidden
	Devices   []Source    // /dev nodes that do nothing but give bytes
	GPU       []Source    // /dev nodes of graphics cards
	Console   Source      // the caller's terminal; zero without one
	Links     []Source    // chains behind /etc/resolv.conf and the like: links and their last target
	Tools     []Need      // what programs on PATH need besides System
	Caches    []Cache     // stores that exist now, ready to be mounted
	Settings  []Copy      // of settings, without their secrets
	Maps      []HostMap   // what the policy maps, as it was found
	Stdio     [3]Descriptor
	Keep      []Descriptor // inherited descriptors above 2 that may stay
	Rlimits   []Rlimit     // as the caller had them
}

// A ProcEntry is a part of /proc that would give the command more than its own
// processes.
type ProcEntry struct {
	Source Source
	Hidden bool // reads as empty; otherwise it is read-only
}

// A Copy is what a command sees in place of a file that may hold secrets.
type Copy struct {
	Destination string
	ID          ID // of the file there, where the copy covers one
	Data        []byte
	Left        []string // names of what was left out, sorted
}

// A HostMap is a Map whose source exists.
type HostMap struct {
	Source      Source
	Destination string
	ReadOnly    bool
	Reason      Reason
}

// A Kernel is what system calls answered, never what a file under /sys claims.
type Kernel struct {
	Release     string // uname -r
	LandlockABI int    // 0: none
	Seccomp     bool   // filters with errno
	MountAPI    bool   // mount_setattr, Linux 5.12
	Openat2     bool   // Linux 5.6
	CloseRange  bool   // close_range with CLOSE_RANGE_CLOEXEC, Linux 5.11
	CgroupNS    bool
}

// A Need is a host path outside the system directories without which a program
// on PATH cannot run: a version manager's shims, an interpreter's prefix.
type Need struct {
	Source Source
	Reason Reason
}

// A Cache is one directory that outlives the command.
type Cache struct {
	Destination string // where the tool looks for it, inside
	Source      Source // what backs it, on the host; no ID where it does not exist yet
	Type        Type
	Backing     string   // project, shared, host
	Secrets     []Source // what in it reads as empty: the tokens beside the host's models
	Reason      Reason
}
