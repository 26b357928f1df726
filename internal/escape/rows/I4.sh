# I4: the sockets of Docker and the like, which are root on the host
plant() {
	hide "$D/word"
	serve "$D/word" "unix:/run/harness/docker.sock" "unix:/run/harness/snapd.socket"
}
attack() {
	for dir in /run /var/run; do
		"$PROBE" connect "unix:$dir/harness/docker.sock"
		"$PROBE" connect "unix:$dir/harness/snapd.socket"
	done
}
