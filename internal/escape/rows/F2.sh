# F2: other ways to write the same path
plant() { hide "$H/private/notes"; }
attack() {
	for top in /proc/self/root /proc/thread-self/root /proc/1/root /proc/self/cwd/../../.. /.. ../../../../../../../.. //; do
		cat "$top$H/private/notes" "$top/private/notes"
	done 2>/dev/null
	cd / && cat "../../..$H/private/notes" 2>/dev/null
}
