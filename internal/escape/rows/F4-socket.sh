# F4-socket: a socket in which an open file waits
plant() { hide "$H/private/notes"; }
start() { "$PROBE" hand "$H/private/notes" "$@"; }
attack() { "$PROBE" take; }
