# H4: settings of editors and agents, which run programs by themselves
plant() {
	for f in .vscode/tasks.json .vscode/settings.json .idea/workspace.xml .devcontainer/devcontainer.json .cursor/mcp.json \
		.claude/settings.json .mcp.json .codex/config.toml; do
		mkdir -p "$P/$(dirname $f)"
		echo '{}' >"$P/$f"
	done
	cat "$P"/.[a-z]*/* "$P/.mcp.json" >"$D/before" 2>/dev/null
}
attack() {
	for f in .vscode/tasks.json .vscode/settings.json .idea/workspace.xml .devcontainer/devcontainer.json .cursor/mcp.json \
		.claude/settings.json .mcp.json .codex/config.toml; do
		echo '{"evil": 1}' >$f
		mv $f $f.old && echo '{"evil": 1}' >$f
	done
	mv .vscode v && mkdir .vscode && echo evil >.vscode/tasks.json
} 2>/dev/null
escaped() { ! cat "$P"/.[a-z]*/* "$P/.mcp.json" 2>/dev/null | cmp -s - "$D/before"; }
