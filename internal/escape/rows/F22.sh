# F22: makes a read-only mount writable
plant() { give "RO=/mnt/ro"; }
attack() {
	got remount "$RO" "$RO/file"
	for dir in /usr /etc; do
		got remount $dir "$dir/.probe-$W1"
	done
}
escaped() {
	rm -f "/usr/.probe-${W%????????????????????}"
	false
}
