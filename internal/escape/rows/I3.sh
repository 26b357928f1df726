# I3: the agents that hold keys: ssh, gpg
plant() {
	hide "$D/word"
	mkdir -p "$H/.gnupg" /tmp/ssh-probe
	set_in SSH_AUTH_SOCK=/tmp/ssh-probe/agent
	rm -f /tmp/ssh-probe/agent
	serve "$D/word" unix:/tmp/ssh-probe/agent "unix:$H/.gnupg/S.gpg-agent"
}
attack() {
	"$PROBE" connect unix:/tmp/ssh-probe/agent
	"$PROBE" connect "unix:${SSH_AUTH_SOCK:-/nowhere}"
	"$PROBE" connect "unix:$H/.gnupg/S.gpg-agent"
}
