# F24: a secret in git's history
# open: all
# why: what was ever committed is in .git, which the command needs
plant() {
	{
		hide "$P/.env"
		git init -q
		git add -f .env
		git -c user.name=t -c user.email=t@example.org commit -q -m x
	} >/dev/null 2>&1
}
attack() { git -c safe.directory='*' show HEAD:.env 2>/dev/null; }
