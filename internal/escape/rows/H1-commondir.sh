# H1-commondir: a file that makes git read another repository's configuration
plant() { git init -q "$P"; }
attack() {
	git init -q other
	git -C other config core.fsmonitor 'touch ~/ran; false'
	echo ../other/.git >.git/commondir
} >/dev/null 2>&1
escaped() {
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
