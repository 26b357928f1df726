# T2: the same with a bit set above those that the kernel looks at
# terminal:
start() {
	"$@"
	"$PROBE" pending
}
attack() { "$PROBE" tiocsti-high "echo $W1$W2"; }
