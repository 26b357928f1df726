# F8-outside: the same with a link that leads out of the project
plant() {
	hide "$O/shared.env"
	ln -s ../other/shared.env "$P/.env"
}
attack() { cat .env 2>/dev/null; }
