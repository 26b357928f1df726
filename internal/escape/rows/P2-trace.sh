# P2-trace: traces the process that watches over it
attack() {
	got ptrace $PPID
	[ $PPID = 1 ] || got ptrace 1
}
