# I1: abstract sockets, on which X11, D-Bus and containerd listen
plant() {
	hide "$D/word"
	serve "$D/word" abstract:probe-display
}
attack() { "$PROBE" connect abstract:probe-display; }
