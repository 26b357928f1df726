# F1-project: another project's source and secrets
plant() {
	hide "$O/src/main.c"
	hide "$O/.env"
}
attack() {
	cat "$O/src/main.c" "$O/.env" ../other/src/main.c
	find "$(dirname "$O")" -name main.c -exec cat {} +
} 2>/dev/null
