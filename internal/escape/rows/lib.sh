# shellcheck shell=sh disable=SC2034,SC2154
# What every row can use. H is the home, P the project in it, O another project, D
# a directory of the harness's own, PROBE the probe. S is the word that must not
# come out; only plant and escaped know it.

plant() { :; }
start() { "$@"; }
attack() { :; }
escaped() { false; }

# done_it: the attack got what it wanted, and nothing was planted that could show
# it. The word comes in two halves, so that no message about the arguments holds it.
done_it() { echo "$W1$W2"; }

# got WORDS: done_it, if the probe answered ok.
got() { case $("$PROBE" "$@" 2>&1) in *': ok'*) done_it ;; esac }

# hide FILE: the word, in a file.
hide() {
	mkdir -p "$(dirname "$1")"
	echo "$S" >"$1"
}

# give NAME=VALUE: attack and escaped get a variable, the former as an argument.
give() { echo "$1"; }

# set_in NAME=VALUE: the sandbox is started with a variable in its environment.
set_in() { echo "export $1"; }

# serve ARGUMENT...: a service that outlives plant.
serve() {
	rm -f "$D/ready"
	"$PROBE" serve "$D/ready" "$@" >"$D/serve" 2>&1 &
	server=$!
	until_there "$D/ready"
	kill -0 $server || cat "$D/serve"
}

# until_there FILE: wait for it, but not for ever.
until_there() {
	i=0
	while ! [ -s "$1" ] && [ $i -lt 500 ]; do
		i=$((i + 1))
		sleep 0.01
	done
}

# running WORD: reports whether a process has WORD among its arguments.
running() { "$PROBE" running "$1" >/dev/null; }

# stays WORD: reports whether such a process is there and does not end. The kernel needs
# its time to end a tree of processes, and more of it on a busy machine.
stays() {
	i=0
	while running "$1"; do
		i=$((i + 1))
		[ $i -lt 120 ] || return 0
		sleep 0.02
	done
	false
}
