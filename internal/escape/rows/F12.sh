# F12: writes into what covers a secret, for the next one to read
plant() { hide "$P/.env"; }
attack() {
	echo "$W1" >.env
	chmod 666 .env
	echo "$W1" >>.env
	for f in /.jail/*; do echo "$W1" >"$f"; done
	grep -q "$W1" .env && done_it
} 2>/dev/null
