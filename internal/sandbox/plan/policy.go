package plan

// A Policy is what the user wants, merged from all layers. Package config makes
// one from files and flags; Default is the one without any. It is settled: what
// the mode turns off is off here, except where a flag turned it on again, so
// nobody has to derive it from Mode a second time.
type Policy struct {
	Mode       Mode
	ModeReason Reason

	Mask           []Pattern // in the order in which they apply; a later one wins
	ReadOnly       []Map     // ro = [...]
	Writable       []Map     // rw = [...]
	Env            []EnvRule
	EnvListed      bool // env_policy = "listed"
	Network        Network
	GPU            bool
	NoLandlock     bool
	LandlockReason Reason // who turned it off
	Strict         bool
	UserNS         bool
	Nested         bool
	Ptrace         bool
	Docker         bool // the Docker socket, which is root on the host
	Display        bool
	SSH            bool   // the ssh agent's socket
	Cache          string // what backs the package caches; empty means as each preset says

	Shims       []Shim    // shims = [...]: further names, for the user's farm or the root's own
	ShimsExcept []string  // shims_except = [...]: names that the user wants no shim for
	WorkerEnv   []string  // variables that choose mode worker where they are set
	Below       []string  // directories directly below which everything is a project
	Settings    []Setting // who said what about the single values above, in the manual's order

	Weakened []Reason // what layers above the built-in one allow beyond it
	Notes    []Note   // what was ignored on the way here
}

// What backs a package cache, from the strictest to the loosest.
const (
	CacheNone    = "none"
	CacheProject = "project"
	CacheShared  = "shared"
	CacheHost    = "host"
)

// A Setting is a single value that a layer above the built-in one chose, and why.
type Setting struct {
	Key, Value string
	Reason     Reason
}

// A Shim is a further name that a configuration wants to run in the jail.
type Shim struct {
	Name   string
	Reason Reason
}

// Network says what the command reaches. It is a value and not a boolean,
// because a network by name will be a third.
type Network string

// The networks a policy can ask for.
const (
	NetworkHost Network = "host"
	NetworkNone Network = "none"
)

// A Pattern is a line of gitignore(5) that hides what it names, or, where Except
// is set, keeps open what an earlier one hid.
type Pattern struct {
	Text   string
	Base   string // the directory it is relative to; empty means the root
	Action Action
	Except bool
	Reason Reason
}

// A Map shows a path of the host inside.
type Map struct {
	Source, Destination string
	Reason              Reason
}

// An EnvRule lets one variable pass whatever its name looks like. With Set, it
// has Value instead of the caller's.
type EnvRule struct {
	Name, Value string
	Set         bool
	Reason      Reason
}

// A Command is what the caller typed, and where.
type Command struct {
	Args    []string // Args[0] as typed
	Path    string   // what detect found for it: absolute, as found on PATH
	Real    string   // the file behind Path and all its links
	Cwd     string   // physical
	CwdAs   string   // logical: what $PWD says, where it is the same directory
	Env     []string
	Home    string // what $HOME is inside
	Preset  string // npm, pip ...; empty means all package caches
	Parent  uint32 // the process that called the launcher, by its number; 0 where it has none that could be asked after
	Timeout uint64 // milliseconds; 0: none
}
