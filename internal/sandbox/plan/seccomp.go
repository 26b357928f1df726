package plan

// Seccomp says which system calls are refused and how. The tables behind it are
// in package confine; what varies from plan to plan is here. The zero value is the
// strictest.
type Seccomp struct {
	UserNamespaces bool   // a browser's own sandbox may make namespaces, and chroot in them
	Mounts         bool   // a sandbox inside may mount as well; asks for UserNamespaces
	Ptrace         bool   // a debugger may trace processes of the jail, and have them without random addresses
	RefuseKillZero bool   // kill(0) would leave the jail: a terminal without Landlock's signal scope
	Parent         uint32 // of the launcher: signal 0 to this number says that it is there, and does nothing; 0: none
	SetGroupID     bool   // directories of the project are set-group-id, and copying one sets the bit again
}
