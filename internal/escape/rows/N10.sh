# N10: UDP
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	serve "$D/word" udp:192.0.2.10:8443
}
attack() { "$PROBE" connect udp:192.0.2.10:8443; }
