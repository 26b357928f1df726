# H1-include: a file of the project that the repository's configuration includes
plant() {
	git init -q "$P"
	git -C "$P" config include.path ../shared
	echo '[user]' >"$P/shared"
}
attack() { printf '[core]\n\tfsmonitor = touch ~/ran; false\n' >>shared; } 2>/dev/null
escaped() {
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
