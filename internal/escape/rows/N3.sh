# N3: asks the cloud about this machine
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	serve "$D/word" tcp:169.254.169.254:8080 tcp:100.100.100.200:8080
}
attack() {
	"$PROBE" connect tcp:169.254.169.254:8080
	"$PROBE" connect tcp:100.100.100.200:8080
}
