# N8: names one server in the handshake and goes to another
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	serve "$D/word" tcp:192.0.2.10:8443
}
attack() { "$PROBE" connect tcp:192.0.2.10:8443; }
