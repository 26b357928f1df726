# F17: a secret that an editor replaces meanwhile
# open: normal worker no-net lockdown
# why: masks are for files that exist when a command starts
plant() { hide "$P/.env"; }
start() {
	cp .env new
	"$@" &
	sleep 0.4
	mv new .env
	wait
}
attack() {
	i=0
	while [ $i -lt 20 ]; do
		cat .env
		sleep 0.05
		i=$((i + 1))
	done 2>/dev/null
}
