# H7: a file that is one with a file outside: pnpm and uv link from their stores
# open: normal worker no-net
# why: two names of one file cannot be told apart; inside, stores are mounts of their own, so nothing that was installed inside is linked out
plant() {
	mkdir -p "$H/.store" "$P/node_modules/dep"
	echo before >"$H/.store/dep.js"
	ln "$H/.store/dep.js" "$P/node_modules/dep/index.js"
}
attack() { echo evil >node_modules/dep/index.js; } 2>/dev/null
escaped() { grep -q evil "$H/.store/dep.js"; }
