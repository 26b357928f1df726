# F5: a directory as standard input
# refuse:
plant() { hide "$H/private/notes"; }
start() { "$@" <"$H"; }
attack() { cat /proc/self/fd/0/private/notes /dev/stdin/private/notes 2>/dev/null; }
