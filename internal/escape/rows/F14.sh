# F14: moves or removes the secret itself
plant() { hide "$P/.env"; }
attack() {
	mv .env other-name
	cat other-name
	rm -f .env
} 2>/dev/null
escaped() { ! grep -q "$S" "$P/.env"; }
