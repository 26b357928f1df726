# I12: the keyring of the login
start() { "$PROBE" keyring-plant "$S" "$@"; }
attack() { "$PROBE" keyring-read; }
