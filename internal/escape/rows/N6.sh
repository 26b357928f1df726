# N6: addresses in odd spellings
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	serve "$D/word" tcp:127.0.0.1:8080
}
attack() {
	for a in 0.0.0.0:8080 '[::ffff:127.0.0.1]:8080' 127.0.0.1.:8080; do
		"$PROBE" connect "tcp:$a"
	done
}
