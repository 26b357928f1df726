# N5: a name that leads back to this machine
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	serve "$D/word" tcp:127.0.0.1:8080
}
attack() { "$PROBE" connect tcp:allowed.example:8080; }
