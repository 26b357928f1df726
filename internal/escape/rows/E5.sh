# E5: the environment of the process that watches over it
plant() { set_in "SERVICE_TOKEN=$S"; }
attack() {
	"$PROBE" search "$W1-nothing" >/dev/null
	cat /proc/1/environ /proc/$PPID/environ 2>/dev/null | tr '\0' '\n'
}
