# F15: another name for the secret, made before
plant() {
	hide "$P/.env"
	ln "$P/.env" "$P/leak"
}
attack() { cat leak 2>/dev/null; }
