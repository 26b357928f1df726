# P7: crashes, and leaves a core file with its secrets in the project
start() {
	ulimit -c unlimited
	"$@"
}
attack() { "$PROBE" raise 11; }
escaped() {
	for f in "$P"/core*; do
		[ -e "$f" ] && return 0
	done
	return 1
}
