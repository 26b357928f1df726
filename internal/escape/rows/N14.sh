# N14: listens, for the host to connect
# open: normal worker
# why: the network is the host's there
start() {
	"$@" &
	sleep 0.6
	"$PROBE" connect tcp:127.0.0.1:9229 >"$D/heard"
}
attack() {
	echo "$W1$W2" >word
	timeout 1 "$PROBE" serve ready word tcp:0.0.0.0:9229 >/dev/null
}
escaped() { grep -q "$W" "$D/heard"; }
