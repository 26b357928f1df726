# H2-nested: the same in a directory below, where the caller goes next
attack() {
	git init -q sub
	git -C sub config core.fsmonitor 'touch ~/ran; false'
} >/dev/null 2>&1
escaped() {
	(cd "$P/sub" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
