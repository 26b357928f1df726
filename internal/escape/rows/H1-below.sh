# H1-below: the repository where somebody works, below the project's root
plant() {
	git init -q "$P/app"
	rm -f "$P/app/.git/hooks"/*
}
start() {
	cd "$P/app" || return
	"$@"
}
attack() {
	git config core.fsmonitor 'touch ~/ran; false'
	cd .. && mv app old && cp -r old app && git -C app config core.fsmonitor 'touch ~/ran; false'
} >/dev/null 2>&1
escaped() {
	(cd "$P/app" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
