package plan

// Seccomp says which system calls are refused and how. The tables behind it are
// in package confine; what varies from plan to plan is here.
type Seccomp struct {
	UserNamespaces bool // a browser's own sandbox may make namespaces
	Mounts         bool // a sandbox inside may mount as well
	RefuseKillZero bool // kill(0) would leave the jail: a terminal without Landlock's signal scope
}
