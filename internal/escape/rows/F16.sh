# F16: another name for the secret, made now
plant() { hide "$P/.env"; }
attack() {
	ln .env leak
	cat leak
} 2>/dev/null
