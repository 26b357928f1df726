# F13: moves a directory with a secret, and waits for the next start
plant() { hide "$P/sub/.env"; }
start() {
	"$@"
	"$@"
}
attack() {
	mv sub moved
	cat sub/.env moved/.env
} 2>/dev/null
