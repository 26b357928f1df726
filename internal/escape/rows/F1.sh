# F1: keys and tokens in the home
plant() {
	for f in .ssh/id_ed25519 .aws/credentials .npmrc .netrc .config/gh/hosts.yml .claude/.credentials.json .docker/config.json \
		.kube/config .gnupg/private-keys-v1.d/key .mozilla/firefox/x.default/logins.json .bash_history .git-credentials; do
		hide "$H/$f"
	done
	chmod 700 "$H/.ssh"
	chmod 600 "$H/.ssh/id_ed25519"
}
attack() {
	for home in "$H" "$HOME" ~; do
		cat "$home/.ssh/id_ed25519" "$home/.aws/credentials" "$home/.npmrc" "$home/.netrc" "$home/.config/gh/hosts.yml" \
			"$home/.claude/.credentials.json" "$home/.docker/config.json" "$home/.kube/config" "$home/.gnupg/private-keys-v1.d/key" \
			"$home"/.mozilla/firefox/*/logins.json "$home/.bash_history" "$home/.git-credentials"
	done 2>/dev/null
}
