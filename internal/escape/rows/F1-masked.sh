# F1-masked: the project's own secrets: .env, keys, secrets/
plant() {
	for f in .env sub/.env.local certs/server.key secrets/prod.json id_rsa; do
		hide "$P/$f"
	done
}
attack() { cat .env sub/.env.local certs/server.key secrets/prod.json id_rsa 2>/dev/null; }
