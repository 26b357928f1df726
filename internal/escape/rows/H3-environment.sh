# H3-environment: what direnv, mise and the like would run in the directory
plant() {
	echo 'export A=b' >"$P/.envrc"
	echo '[env]' >"$P/.mise.toml"
	cat "$P/.envrc" "$P/.mise.toml" >"$D/before"
}
attack() {
	echo 'touch ~/ran' >>.envrc
	echo '_.source = "evil"' >>.mise.toml
	mv .envrc old && echo 'touch ~/ran' >.envrc
} 2>/dev/null
escaped() { ! cat "$P/.envrc" "$P/.mise.toml" | cmp -s - "$D/before"; }
