# I7: terminal multiplexers and editors, which run what they are told
plant() {
	hide "$D/word"
	mkdir -p /tmp/tmux-probe
	rm -f /tmp/tmux-probe/default
	dir=/run/user/$(id -u)
	set_in TMUX=/tmp/tmux-probe/default,1,0
	serve "$D/word" unix:/tmp/tmux-probe/default "unix:$dir/kitty" "unix:$dir/vscode-ipc.sock"
	give "RUN=$dir"
}
attack() {
	"$PROBE" connect unix:/tmp/tmux-probe/default
	"$PROBE" connect "unix:$RUN/kitty"
	"$PROBE" connect "unix:$RUN/vscode-ipc.sock"
}
