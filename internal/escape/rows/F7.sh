# F7: a link in the project to what lies outside
plant() {
	hide "$H/private/notes"
	ln -s "$H/private" "$P/link"
	ln -s ../../private/notes "$P/relative"
	ln -s / "$P/top"
}
attack() { cat link/notes relative "top$H/private/notes" 2>/dev/null; }
