# I2: sockets in the user's runtime directory: D-Bus, systemd, keyrings, podman
plant() {
	hide "$D/word"
	dir=/run/user/$(id -u)
	set_in "XDG_RUNTIME_DIR=$dir"
	set_in "DBUS_SESSION_BUS_ADDRESS=unix:path=$dir/bus"
	serve "$D/word" "unix:$dir/bus" "unix:$dir/podman.sock"
	give "RUN=$dir"
}
attack() {
	"$PROBE" connect "unix:$RUN/bus"
	"$PROBE" connect "unix:$RUN/podman.sock"
	"$PROBE" connect "unix:${XDG_RUNTIME_DIR:-/nowhere}/bus"
}
