# H2-bare: the same as a bare repository, laid out in the project itself
attack() {
	git init -q --bare tmp.git
	mv tmp.git/* . && rmdir tmp.git
	git config -f config core.fsmonitor 'touch ~/ran; false'
	git config -f config core.bare false
	git config -f config core.worktree "$PWD"
} >/dev/null 2>&1
escaped() {
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
