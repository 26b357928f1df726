# T4: writes to another terminal of the user's
plant() {
	"$PROBE" watch "$D/seen" "$D/ready" >"$D/watch" 2>&1 &
	until_there "$D/ready"
	give "TTY=$(cat "$D/ready")"
}
attack() { echo "$W1$W2" >"$TTY" && :; }
escaped() {
	sleep 0.05
	grep -q "$W" "$D/seen"
}
