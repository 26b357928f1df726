# H1-hooks: hooks where there was no directory for them
plant() {
	git init -q "$P"
	rm -rf "$P/.git/hooks"
}
attack() {
	mkdir .git/hooks
	printf '#!/bin/sh\ntouch ~/ran\n' >.git/hooks/post-index-change
	chmod 755 .git/hooks/post-index-change
	echo x >file
	git add file
} >/dev/null 2>&1
escaped() {
	(cd "$P" && sleep 1 && touch file && git add file && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
