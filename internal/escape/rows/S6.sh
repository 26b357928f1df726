# S6: goes on when the sandbox is killed while it is being made
start() {
	for i in 00 01 02 04 06 08 10 12 16 20 30; do
		"$@" >/dev/null &
		pid=$!
		sleep 0.0$i
		kill -9 $pid
	done
	"$@" &
	i=0
	while ! running held && [ $i -lt 100 ]; do
		sleep 0.02
		i=$((i + 1))
	done
	kill -9 $!
}
attack() {
	"$PROBE" hold held /dev/null
	:
}
escaped() {
	stays held
}
