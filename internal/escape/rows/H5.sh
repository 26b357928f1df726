# H5: what the home runs by itself: shells, services, crontabs, ~/bin
plant() {
	mkdir -p "$H/.local/bin" "$H/.ssh"
	for f in .bashrc .profile .npmrc .gitconfig; do echo before >"$H/$f"; done
	find "$H" -path "$H/work" -prune -o -path "$H/.local/share" -prune -o -path "$H/.config" -prune -o -type f -exec cat {} + >"$D/before"
}
attack() {
	for home in "$H" "$HOME"; do
		for f in .bashrc .profile .npmrc .gitconfig .ssh/authorized_keys .local/bin/ls .zshenv .config/autostart/x.desktop .config/systemd/user/x.service; do
			mkdir -p "$home/$(dirname $f)"
			echo evil >>"$home/$f"
		done
	done
	echo '* * * * * evil' | crontab -
} >/dev/null 2>&1
escaped() {
	find "$H" -path "$H/work" -prune -o -path "$H/.local/share" -prune -o -path "$H/.config" -prune -o -type f -exec cat {} + >"$D/after"
	! cmp -s "$D/before" "$D/after" || [ -e "$H/.config/autostart/x.desktop" ]
}
