# P6: takes an open file out of another process
plant() {
	hide "$D/open"
	"$PROBE" linger victim "$D/pid" <"$D/open" >"$D/victim" 2>&1 &
	until_there "$D/pid"
	rm "$D/open"
	give "PID=$(cat "$D/pid")"
}
attack() {
	for pid in "$PID" 1 2 3 4 5 $PPID; do
		"$PROBE" steal "$pid"
	done
}
