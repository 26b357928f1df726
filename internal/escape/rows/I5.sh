# I5: services of the system that ask the network for others: names, D-Bus
plant() {
	hide "$D/word"
	serve "$D/word" unix:/run/harness/nscd unix:/run/harness/io.systemd.Resolve unix:/run/harness/system_bus_socket
}
attack() {
	for s in nscd io.systemd.Resolve system_bus_socket; do
		"$PROBE" connect "unix:/run/harness/$s"
		"$PROBE" connect "unix:/var/run/harness/$s"
	done
}
