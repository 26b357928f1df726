# N14: listens, for the host to connect
# open: normal worker
# why: the network is the host's there
start() {
	"$@" &
	i=0
	while [ $i -lt 60 ] && ! "$PROBE" connect tcp:127.0.0.1:9229 >"$D/heard"; do
		sleep 0.05
		i=$((i + 1))
	done
}
attack() {
	echo "$W1$W2" >/tmp/word
	timeout 4 "$PROBE" serve /tmp/ready /tmp/word tcp:0.0.0.0:9229 >/dev/null
}
escaped() { grep -q "$W" "$D/heard"; }
