# H1-pointer: git's directory under another name in the project, to which a file leads
plant() { git init -q --separate-git-dir "$P/store" "$P"; }
attack() {
	mv store/config store/old
	printf '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = touch ~/ran; false\n' >store/config
	mkdir -p store/hooks
	printf '#!/bin/sh\ntouch ~/ran\n' >store/hooks/post-index-change
	chmod 755 store/hooks/post-index-change
} 2>/dev/null
escaped() {
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
