package plan

// Landlock is the second wall: what the kernel lets the command do with files,
// whatever is mounted. It needs no namespace to hold.
//
// It is exact: a scope that ABI cannot enforce must not be set, because a dry run
// prints what is here and the launch refuses what the kernel cannot do.
type Landlock struct {
	ABI          int // the version in force, never more than the kernel's; at least 1
	Rules        []LandlockRule
	ScopeSignals bool // no signal leaves the jail (ABI 6)
	ScopeSockets bool // no abstract socket outside is reached (ABI 6)
}

// A LandlockRule grants Access on everything below Path, in the command's view.
// FD is used instead of Path where Path is empty: a descriptor of the caller's.
// Two rules for one path add up.
type LandlockRule struct {
	Path   string
	FD     int
	Dir    bool // Path is a directory; a file takes only the rights of files
	Access Access
}

// An Access is a set of rights in words; confine turns it into the kernel's bits.
type Access string

// The accesses a plan grants.
const (
	AccessList      Access = "list"       // the names in directories, nothing else
	AccessRead      Access = "read"       // read files, list directories
	AccessExecute   Access = "execute"    // read, list and execute
	AccessChange    Access = "change"     // write to files and shorten them, without reading them
	AccessWrite     Access = "write"      // all of that, change, rename between directories (REFER), connect to sockets; no device nodes
	AccessDevice    Access = "device"     // read and write, with ioctl on devices
	AccessDeviceDir Access = "device dir" // write, with ioctl on devices: /dev
	AccessSocket    Access = "socket"     // connect to a socket that a process outside listens on (ABI 9; before that nobody is asked)
)
