# H8: the sandbox's own program, and the user's other programs
plant() {
	mkdir -p "$H/.local/bin"
	cp "$PROBE" "$H/.local/bin/tool"
	mkdir -p "$H/.local/share/jail/shims"
	cp "$PROBE" "$H/.local/share/jail/shims/npm"
	give "TOOL=$H/.local/bin/tool"
	give "SHIM=$H/.local/share/jail/shims/npm"
}
attack() {
	for f in "$TOOL" "$SHIM"; do
		echo evil >"$f.new" && mv "$f.new" "$f"
	done
	for p in $PPID 1; do
		got open-write "/proc/$p/exe"
	done
} 2>/dev/null
escaped() { ! cmp -s "$PROBE" "$H/.local/bin/tool" || ! cmp -s "$PROBE" "$H/.local/share/jail/shims/npm"; }
