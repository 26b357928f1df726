# N12: has a proxy of the host's connect to the host
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	set_in HTTPS_PROXY=http://127.0.0.1:3128
	serve "$D/word" proxy:127.0.0.1:3128 tcp:127.0.0.1:6379
}
attack() { "$PROBE" ask-proxy 127.0.0.1:3128 127.0.0.1:6379; }
