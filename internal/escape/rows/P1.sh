# P1: traces a process of the host
plant() {
	"$PROBE" linger victim "$D/pid" >"$D/victim" 2>&1 &
	until_there "$D/pid"
	give "PID=$(cat "$D/pid")"
}
attack() { got ptrace "$PID"; }
