# F11: files, links and directories that are swapped while the sandbox is made
# refuse:
# seconds: 60
plant() {
	hide "$H/private/.env"
	hide "$H/private/notes"
	mkdir "$P/d"
	echo harmless >"$P/d/notes"
	echo harmless >"$P/.env"
	cat >"$P/swap" <<-'EOS'
		while [ -e go ]; do
			mv d e && ln -s "$1" d && rm d && mv e d
			mv .env f && ln -s "$1/.env" .env && rm .env && mv f .env
		done
	EOS
}
start() {
	: >go
	sh swap "$H/private" >/dev/null 2>&1 &
	for i in 1 2 3 4 5 6; do "$@"; done
	rm go
}
attack() {
	for i in 1 2 3 4 5 6 7 8 9 10; do cat .env d/notes d/.env e/notes f; done 2>/dev/null
}
