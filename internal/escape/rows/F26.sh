# F26: opens a denied directory by its mode
plant() { hide "$P/secrets/prod.json"; }
attack() {
	chmod 755 secrets
	cat secrets/prod.json
} 2>/dev/null
