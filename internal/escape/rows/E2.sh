# E2: variables that make programs load something
plant() {
	set_in "LD_PRELOAD=$H/evil.so"
	set_in "BASH_ENV=$H/evil.sh"
	set_in "ENV=$H/evil.sh"
	set_in "NODE_OPTIONS=--require=$H/evil.js"
	set_in "PYTHONPATH=$H/evil"
}
attack() { [ -z "$LD_PRELOAD$BASH_ENV$ENV$NODE_OPTIONS$PYTHONPATH" ] || done_it; } 2>/dev/null
