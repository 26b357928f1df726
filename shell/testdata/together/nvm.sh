# A stand-in for nvm: a function that puts the directory of a version in the place
# of the one that is on PATH, or first, and the recipe of its manual that does so on
# each change of directory.
nvm() {
	case ${1-} in
	use)
		local rest=$PATH new=$NVM_DIR/versions/node/v$2/bin
		case ":$PATH:" in
		*":$NVM_DIR/versions/node/"*)
			rest=$(printf %s "$PATH" | sed "s|$NVM_DIR/versions/node/[^/]*/bin|$new|")
			;;
		*) rest=$new:$PATH ;;
		esac
		export PATH="$rest" NVM_BIN="$new"
		hash -r
		;;
	current) echo "${NVM_BIN-none}" ;;
	deactivate)
		PATH=$(printf %s ":$PATH:" | sed "s|:$NVM_DIR/versions/node/[^/]*/bin:|:|g; s|^:||; s|:\$||")
		unset NVM_BIN
		;;
	esac
}
nvm_follow() {
	local dir=$PWD
	while [ -n "$dir" ]; do
		if [ -e "$dir/.nvmrc" ]; then
			nvm use "$(cat "$dir/.nvmrc")"
			return
		fi
		dir=${dir%/*}
	done
	nvm use 18
}
