# N9: TCP by another protocol number (MPTCP)
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	serve "$D/word" tcp:192.0.2.10:8080
}
attack() { "$PROBE" connect mptcp:192.0.2.10:8080; }
