# N11: takes the proxy's variables away
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	set_in http_proxy=http://127.0.0.1:3128
	set_in HTTPS_PROXY=http://127.0.0.1:3128
	serve "$D/word" tcp:192.0.2.10:8080
}
attack() { env -u http_proxy -u HTTPS_PROXY -u https_proxy -u HTTP_PROXY "$PROBE" connect tcp:192.0.2.10:8080; }
