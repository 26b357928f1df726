# F21: takes away the mount that covers a secret
plant() { hide "$P/.env"; }
attack() {
	"$PROBE" uncover "$P/.env"
	"$PROBE" as-root "$PROBE" uncover "$P/.env"
}
