# canary-read: a file of the project, which every sandbox shows
plant() { echo "$S" >"$P/notes"; }
attack() { cat notes; }
