# F3: a directory that the caller had open
plant() { hide "$H/private/notes"; }
start() {
	exec 9<"$H" 8</
	"$@"
}
attack() {
	for fd in 8 9; do
		cat "/proc/self/fd/$fd/private/notes" "/proc/self/fd/$fd$H/private/notes" "/dev/fd/$fd/private/notes"
	done 2>/dev/null
}
