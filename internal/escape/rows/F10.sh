# F10: a directory that the user shows, replaced by a link
# refuse:
plant() {
	hide "$H/private/notes"
	mkdir -p "$H/.config/jail" "$P/cache"
	echo "rw = [\"$P/cache:/shown\"]" >"$H/.config/jail/config.toml"
}
start() {
	"$@" >/dev/null
	"$@"
}
attack() {
	rmdir cache 2>/dev/null
	ln -s "$H/private" cache 2>/dev/null
	cat cache/notes /shown/notes 2>/dev/null
}
