# S4: leaves a process behind that has nothing to do with it any more
attack() { "$PROBE" daemon left-behind /tmp/probe-ready || "$PROBE" daemon left-behind ready; }
escaped() {
	sleep 0.1
	rm -f /tmp/probe-ready
	running left-behind
}
