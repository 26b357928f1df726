# F13-unsearched: moves it to where nobody looks
plant() { hide "$P/sub/.env"; }
start() {
	"$@"
	"$@"
}
attack() {
	mkdir node_modules
	mv sub node_modules/
	cat sub/.env node_modules/sub/.env
} 2>/dev/null
