# F28: a copy of everything
plant() { hide "$P/.env"; }
attack() {
	tar cf - . 2>/dev/null | tr -d '\0' | grep -a . | head -c 100000
	cp -r . /tmp/probe-copy 2>/dev/null
	cat /tmp/probe-copy/.env
	rm -rf /tmp/probe-copy
} 2>/dev/null
