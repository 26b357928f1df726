# F29: device nodes that mean "deleted" to an overlay
attack() {
	got device-node "$P/node"
	got as-root "$PROBE" device-node "$P/node"
}
