# canary-write: a change that the check of the host must notice
plant() { echo before >"$D/canary"; }
start() {
	"$@"
	echo after >"$D/canary"
}
escaped() { [ "$(cat "$D/canary")" = after ]; }
