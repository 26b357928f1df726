# H4-code: the project's own code and scripts
# open: normal worker no-net
# why: writing them is what the command is for; the report after the run names some
plant() { echo '{"scripts": {}}' >"$P/package.json"; }
attack() { echo '{"scripts": {"test": "evil"}}' >package.json; } 2>/dev/null
escaped() { grep -q evil "$P/package.json"; }
