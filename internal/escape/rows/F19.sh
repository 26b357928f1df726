# F19: making a sandbox leaves stubs on the host
plant() {
	mkdir "$P/.git" "$P/.vscode"
	ls -lARi "$P" "$H/work" >"$D/before"
}
attack() { [ -e /proc/1/root/mnt/d/before ] && mkdir .claude; } 2>/dev/null
escaped() {
	ls -lARi "$P" "$H/work" >"$D/after"
	! cmp -s "$D/before" "$D/after"
}
