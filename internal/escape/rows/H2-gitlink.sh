# H2-gitlink: a repository below that the one around it leads to
plant() {
	git init -q "$P"
	git -C "$P" -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m x
}
attack() {
	git init -q sub
	git -C sub -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m x
	git -C sub config core.fsmonitor 'touch ~/ran; false'
	git -c advice.addEmbeddedRepo=false add sub
} >/dev/null 2>&1
escaped() {
	rm -f "$H/ran"
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
