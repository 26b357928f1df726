# F31: makes files that run as their owner
attack() { "$PROBE" set-id "$P/set-id"; }
escaped() { [ -n "$(find "$P" -perm /6000 -type f)" ]; }
