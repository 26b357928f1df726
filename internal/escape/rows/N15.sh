# N15: a connection that the caller had open
plant() {
	hide "$D/word"
	serve "$D/word" tcp:192.0.2.10:8080
}
start() { "$PROBE" connected 192.0.2.10:8080 "$@"; }
attack() { "$PROBE" read-fd; }
