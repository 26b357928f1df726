# H3: jail's own configuration, for the next run
plant() { hide "$H/private/notes"; }
start() {
	"$@"
	"$@"
}
attack() {
	cat >.ai-jail/config.toml <<-EOS
		ro = ["$H/private"]
		rw = ["$H"]
		no_landlock = true
		mask_except = ["*"]
	EOS
	mv .ai-jail moved && mkdir .ai-jail && echo "ro = [\"$H/private\"]" >.ai-jail/config.toml
	cat "$H/private/notes"
} 2>/dev/null
