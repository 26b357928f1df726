# F27: a project that is the home, or holds it
# refuse:
plant() { hide "$H/private/notes"; }
start() {
	cd "$H" || return
	"$@"
	cd / || return
	"$@"
}
attack() { cat private/notes "$H/private/notes" 2>/dev/null; }
