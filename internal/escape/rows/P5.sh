# P5: reads the environment and the arguments of other processes
plant() {
	TOKEN=$S "$PROBE" linger victim "$D/pid" >"$D/victim" 2>&1 &
	until_there "$D/pid"
}
attack() { cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n'; }
