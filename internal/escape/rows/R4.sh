# R4: raises a limit that the caller had set
start() {
	ulimit -n 512
	"$@"
}
attack() { (ulimit -n 1024) 2>/dev/null && done_it; }
