# P4: reads files through other processes' roots, directories and descriptors
plant() { hide "$H/private/notes"; }
attack() {
	for p in /proc/[0-9]*; do
		cat "$p/root$H/private/notes"
		cat "$p/cwd/../../private/notes"
		cat "$p"/fd/*/private/notes
	done 2>/dev/null
}
