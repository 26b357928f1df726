# I6: the display: keys typed, the screen, other windows
plant() {
	hide "$D/word"
	mkdir -p /tmp/.X11-unix
	rm -f /tmp/.X11-unix/X97
	dir=/run/user/$(id -u)
	set_in DISPLAY=:97
	set_in WAYLAND_DISPLAY=wayland-0
	serve "$D/word" unix:/tmp/.X11-unix/X97 abstract:/tmp/.X11-unix/X97 "unix:$dir/wayland-0"
	give "RUN=$dir"
}
attack() {
	"$PROBE" connect unix:/tmp/.X11-unix/X97
	"$PROBE" connect abstract:/tmp/.X11-unix/X97
	"$PROBE" connect "unix:$RUN/wayland-0"
}
