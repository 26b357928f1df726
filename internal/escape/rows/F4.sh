# F4: a file that the caller had open
plant() { hide "$H/private/notes"; }
start() {
	exec 9<"$H/private/notes"
	"$@"
}
attack() { cat <&9; } 2>/dev/null
