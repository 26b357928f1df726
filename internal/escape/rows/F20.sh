# F20: a secret in capital letters
plant() {
	hide "$P/.ENV"
	hide "$P/Server.KEY"
}
attack() { cat .ENV Server.KEY 2>/dev/null; }
