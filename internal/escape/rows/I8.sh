# I8: programs of Windows under WSL (a stand-in of the same names)
plant() {
	hide "$D/word"
	mkdir -p /mnt/d/c/System32
	printf '#!/bin/sh\ntouch "%s/ran"\n' "$H" >/mnt/d/c/System32/cmd.exe
	chmod 755 /mnt/d/c/System32/cmd.exe
	set_in WSL_INTEROP=/run/harness/1_interop
	serve "$D/word" unix:/run/harness/1_interop
}
attack() {
	/mnt/d/c/System32/cmd.exe
	"$PROBE" connect unix:/run/harness/1_interop
	"$PROBE" connect "unix:${WSL_INTEROP:-/nowhere}"
} 2>/dev/null
escaped() { [ -e "$H/ran" ]; }
