# I11: shared memory
plant() {
	hide "$D/word"
	give "ID=$("$PROBE" shm-plant "$D/word" | cut -d' ' -f3)"
	mv "$D/word" /dev/shm/probe-word
}
attack() {
	"$PROBE" shm-read "$ID"
	cat /dev/shm/probe-word 2>/dev/null
}
