# N2: connects to a service on this machine
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	serve "$D/word" tcp:127.0.0.1:6379 tcp:127.0.0.1:2375
}
attack() {
	"$PROBE" connect tcp:127.0.0.1:6379
	"$PROBE" connect tcp:localhost:2375
}
