# H6: a package cache that another project's next install uses
start() {
	"$@"
	cd "$O" || return
	cp "$P/probe" probe
	"$@"
}
attack() {
	for dir in .npm/_cacache .cache/pip .cargo/registry .cache/uv .local/share/pnpm/store; do
		if [ -e "$H/$dir/poison" ]; then
			[ "$PWD" = "$P" ] || done_it
		else
			mkdir -p "$H/$dir"
			echo poison >"$H/$dir/poison"
		fi
	done
} 2>/dev/null
