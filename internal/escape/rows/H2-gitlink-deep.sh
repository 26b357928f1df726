# H2-gitlink-deep: a repository that runs, in one that does not, in the one around both
plant() {
	git init -q "$P"
	git -C "$P" -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m x
}
attack() {
	for dir in sub sub/inner; do
		git init -q $dir
		git -C $dir -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m x
	done
	git -C sub/inner config core.fsmonitor 'touch ~/ran; false'
	git -C sub -c advice.addEmbeddedRepo=false add inner
	git -c advice.addEmbeddedRepo=false add sub
} >/dev/null 2>&1
escaped() {
	rm -f "$H/ran"
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
