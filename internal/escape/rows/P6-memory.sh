# P6-memory: reads another process's memory
plant() {
	TOKEN=$S "$PROBE" linger victim "$D/pid" >"$D/victim" 2>&1 &
	until_there "$D/pid"
	give "PID=$(cat "$D/pid")"
}
attack() { got peek "$PID"; }
