# S3: stops its parent
start() {
	sh -c 'echo $$ >shell; "$@"; :' sh "$@" &
	sleep 0.7
	"$PROBE" state "$(cat shell)" >"$D/state"
}
attack() {
	kill -STOP $PPID
	sleep 3
}
escaped() { grep -q 'ok T' "$D/state"; }
