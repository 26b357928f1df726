# F9: a link where the next start would make something
plant() {
	mkdir "$H/target"
	ln -s "$H/target" "$P/link"
	ln -s "$H/target/new" "$P/.env"
	ln -s "$H/target" "$P/secrets"
	ln -s "$H/target" "$P/.git"
	ln -s "$H/target" "$P/.vscode"
}
attack() { echo x >link/planted; } 2>/dev/null
escaped() { [ -n "$(ls -A "$H/target")" ]; }
