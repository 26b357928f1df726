# I10: sockets of other families: packets, crypto, events, raw
attack() {
	got families
	got as-root "$PROBE" families
}
