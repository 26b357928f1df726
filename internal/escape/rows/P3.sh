# P3: reads the environment of the process that watches over it
plant() { set_in "API_TOKEN=$S"; }
attack() {
	cat /proc/$PPID/environ | tr '\0' '\n'
	cat /proc/1/environ | tr '\0' '\n'
}
