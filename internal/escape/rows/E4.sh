# E4: directories of PATH that are not there, for somebody to make
plant() {
	mkdir -p "$H/bin"
}
start() { PATH=$PATH:$H/bin:$H/nowhere:. "$@"; }
attack() {
	IFS=:
	for dir in $PATH; do
		case $dir in /*) [ -d "$dir" ] || done_it ;; *) done_it ;; esac
	done
}
