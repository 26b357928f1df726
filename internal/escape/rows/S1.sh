# S1: sends a signal to its process group, number 0
start() {
	"$@"
	echo yes >"$D/survived"
}
attack() { kill -9 0; }
escaped() { ! [ -s "$D/survived" ]; }
