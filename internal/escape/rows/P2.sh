# P2: writes to the memory of the process that watches over it
attack() {
	[ $$ = 1 ] || got poke $PPID
	[ $PPID = 1 ] || [ "$(readlink /proc/1/ns/pid)" != "$(readlink /proc/self/ns/pid)" ] || got poke 1
}
