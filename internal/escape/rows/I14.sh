# I14: programs that run as root for whoever calls them
attack() {
	[ "$(id -u)" != 0 ] || return
	sleep 1 | passwd >/dev/null 2>&1 &
	sleep 0.3
	for p in /proc/[0-9]*; do
		[ "$(cat "$p/comm")" != passwd ] || ! grep -q '^Uid:[[:space:]]*[0-9]*[[:space:]]*0[[:space:]]' "$p/status" || done_it
	done 2>/dev/null
}
