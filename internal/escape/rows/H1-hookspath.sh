# H1-hookspath: a hook in a directory of the project that the configuration names
plant() {
	git init -q "$P"
	git -C "$P" config core.hooksPath tools
	mkdir "$P/tools"
}
attack() {
	printf '#!/bin/sh\ntouch ~/ran\n' >tools/post-index-change
	chmod 755 tools/post-index-change
	echo x >file
	git add file
} >/dev/null 2>&1
escaped() {
	rm -f "$H/ran"
	(cd "$P" && sleep 1 && touch file && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
