# I17: the machine's name, clock, swap and modules
attack() {
	got hostname
	for c in swapon acct init_module quotactl syslog kexec_load; do
		got call $c
		got as-root "$PROBE" call $c
	done
	got as-root "$PROBE" hostname
}
