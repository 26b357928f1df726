# F23: opens a file by its handle, which needs no path
plant() {
	hide "$H/private/notes"
	give "HANDLE=$("$PROBE" handle-of "$H/private/notes" | cut -d' ' -f3)"
}
attack() {
	"$PROBE" by-handle "$HANDLE" .
	"$PROBE" as-root "$PROBE" by-handle "$HANDLE" .
}
