# S2: sends a signal to all processes, number -1
plant() {
	"$PROBE" linger victim "$D/pid" >"$D/victim" 2>&1 &
	until_there "$D/pid"
}
attack() { kill -9 -1; }
escaped() {
	sleep 0.05
	! running victim
}
