# T1: types into the caller's terminal, which the caller's shell will read (TIOCSTI)
# terminal:
start() {
	"$@"
	"$PROBE" pending
}
attack() { "$PROBE" tiocsti "echo $W1$W2"; }
