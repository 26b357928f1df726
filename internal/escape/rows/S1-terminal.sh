# S1-terminal: the same at a terminal
# terminal:
start() {
	"$@"
	echo yes >"$D/survived"
}
attack() { kill -9 0; }
escaped() { ! [ -s "$D/survived" ]; }
