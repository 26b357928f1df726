# N7: the network, where the project says that there is none
plant() {
	hide "$D/word"
	echo 'network = "off"' >"$P/.ai-jail/config.toml"
	serve "$D/word" tcp:192.0.2.10:8080
}
attack() { "$PROBE" connect tcp:192.0.2.10:8080; }
