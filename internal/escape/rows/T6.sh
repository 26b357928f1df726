# T6: leaves the terminal in raw mode and dies
# terminal:
start() {
	"$@"
	"$PROBE" cooked || done_it_outside
}
done_it_outside() { echo "$W"; }
attack() { "$PROBE" raw; }
