# K5: mounts, by the old calls and the new
attack() {
	mkdir -p "$P/dir" /tmp/probe-dir 2>/dev/null
	for dir in "$P/dir" /tmp/probe-dir; do
		got mounts "$dir"
		got as-root "$PROBE" mounts "$dir"
	done
	rmdir /tmp/probe-dir 2>/dev/null
}
