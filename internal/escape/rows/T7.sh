# T7: asks for a password at the caller's terminal
# terminal:
# open: all
# why: a command may read what is typed to it
start() {
	"$PROBE" tiocsti 'hunter2' </dev/tty >/dev/null
	"$@"
}
attack() {
	printf '[sudo] password: ' >/dev/tty
	read -r password </dev/tty
	[ "$password" != hunter2 ] || done_it
}
