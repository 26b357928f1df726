# F18: a secret that appears meanwhile
# open: normal worker no-net lockdown
# why: masks are for files that exist when a command starts
start() {
	"$@" &
	sleep 0.4
	echo "$S" >.env.production
	wait
}
attack() {
	i=0
	while [ $i -lt 20 ]; do
		cat .env.production
		sleep 0.05
		i=$((i + 1))
	done 2>/dev/null
}
