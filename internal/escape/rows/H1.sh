# H1: git's hooks and configuration, which the host's git would run
plant() {
	mkdir -p "$P/.git/hooks" "$P/.git/info" "$P/.git/objects" "$P/.git/refs"
	echo 'ref: refs/heads/main' >"$P/.git/HEAD"
	printf '[core]\n\trepositoryformatversion = 0\n' >"$P/.git/config"
	cat "$P/.git/config" >"$D/before"
}
attack() {
	printf '[core]\n\tfsmonitor = touch ~/ran\n' >>.git/config
	printf '#!/bin/sh\ntouch ~/ran\n' >.git/hooks/post-checkout
	chmod 755 .git/hooks/post-checkout
	mv .git/hooks .git/hooks.old && mkdir .git/hooks
	mv .git old.git && cp -r old.git .git && echo x >>.git/config
} 2>/dev/null
escaped() { ! cmp -s "$P/.git/config" "$D/before" || [ -n "$(ls -A "$P/.git/hooks")" ] || [ -e "$P/old.git" ]; }
