# F32: changes modes, times and attributes of files outside
plant() {
	echo x >"$O/file"
	chmod 644 "$O/file"
	touch -t 200001010000 "$O/file"
	stat -c '%a %Y' "$O/file" >"$D/before"
}
attack() {
	chmod 777 "$O/file"
	touch "$O/file"
	"$PROBE" attribute "$O/file" user.x y
} 2>/dev/null
escaped() { [ "$(stat -c '%a %Y' "$O/file")" != "$(cat "$D/before")" ]; }
