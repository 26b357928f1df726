# S4: leaves a process behind that has nothing to do with it any more
attack() { "$PROBE" daemon left-behind /tmp/probe-ready || "$PROBE" daemon left-behind ready; }
escaped() {
	rm -f /tmp/probe-ready
	stays left-behind
}
