# F8: a secret's name that is a link to where the secret is
plant() {
	hide "$P/config/settings"
	ln -s config/settings "$P/.env"
}
attack() { cat .env config/settings 2>/dev/null; }
