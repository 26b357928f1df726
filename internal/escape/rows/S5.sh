# S5: goes on when the sandbox is killed
start() {
	"$@" &
	pid=$!
	i=0
	while ! running held && [ $i -lt 200 ]; do
		sleep 0.02
		i=$((i + 1))
	done
	kill -9 $pid
}
attack() {
	"$PROBE" hold held /dev/null
	:
}
escaped() {
	stays held
}
