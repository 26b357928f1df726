# shellcheck shell=bash
# shellcheck disable=SC2154 # the settings come first, in one line of assignments
# shellcheck disable=SC2164 # what happens when cd fails is up to whoever called it
# shellcheck disable=SC2178,SC2128 # PROMPT_COMMAND is a string or an array
# The hook of jail for bash: keeps the farms of shims first on PATH in a project
# and off it elsewhere.
#
# It starts no process. Every run works out from the working directory and from
# PATH itself what PATH should be: no PATH is saved and no variable says "active",
# so nothing can be stale or inherited. It only reminds; each shim decides for
# itself. Where a project may not be, as in /tmp, a marker counts here as well: the
# shim is to say so, and not to be left out.
#
# All names begin with __jail_, the locals too: a local of the name of a readonly
# variable of the user's would be an error at every prompt.

__jail_run=__jail_prompt

# Sets __jail_root to the nearest directory at or above the working directory that
# holds a marker, and __jail_name to what to call it; the root is empty outside.
function __jail_find {
  local __jail_cwd=${PWD-} __jail_dir=${PWD-} __jail_linked=''
  # By the path that the shell shows: /srv/app, /srv, and "" for /. A PWD that is no
  # path at all ends the loop as well. Where no link is in it, that is all.
  while [[ ! -d $__jail_dir/.ai-jail && ! -L $__jail_dir && $__jail_dir == */* ]]; do
    __jail_dir=${__jail_dir%/*}
  done
  if [[ -L $__jail_dir ]]; then
    __jail_linked=1
    while [[ ! -d $__jail_dir/.ai-jail && $__jail_dir == */* ]]; do __jail_dir=${__jail_dir%/*}; done
  fi
  if [[ -d $__jail_dir/.ai-jail ]]; then
    __jail_root=${__jail_dir:-/} __jail_name=${__jail_dir##*/}
    return 0
  fi
  __jail_root=''
  if [[ -z $__jail_linked && . -ef $__jail_cwd ]]; then return 0; fi
  # By the path on disk: ./../.. and so on, 64 times at most.
  __jail_dir=.
  while [[ ! -d $__jail_dir/.ai-jail && ! $__jail_dir -ef / && ${#__jail_dir} -lt 193 ]]; do
    __jail_dir+=/..
  done
  if [[ -d $__jail_dir/.ai-jail ]]; then
    __jail_root=${__jail_cwd:-.}${__jail_dir#.} __jail_name=${__jail_cwd##*/}${__jail_dir#.}
  fi
}

# Puts the farms first in a project, or takes them out: every occurrence of our
# own entries, and never another one.
function __jail_refresh {
  local __jail_path __jail_farms=$__jail_farm
  __jail_find
  # A root's own farm lies at the root's path; one with a colon cannot be on PATH.
  if [[ -n $__jail_root && $__jail_root/ != *:* && $__jail_root/ != */../* &&
    -d $__jail_roots$__jail_root/shims ]]; then
    __jail_farms=$__jail_roots$__jail_root/shims:$__jail_farm
  fi
  if [[ -z $__jail_root$__jail_always ]]; then __jail_farms=''; fi
  # What PATH should be depends on nothing but these two.
  if [[ $__jail_farms:${PATH-} == "$__jail_settled" || -z ${PATH+set} ]]; then return 0; fi
  __jail_strip
  if [[ -n $__jail_farms ]]; then __jail_path=$__jail_farms${__jail_path:+:$__jail_path}; fi
  # Assigning PATH empties the table of commands, so only where it differs; and not
  # by =, since that ends everything where PATH is readonly.
  if [[ $__jail_path != "$PATH" ]]; then
    builtin printf -v PATH %s "$__jail_path" 2>/dev/null || return 0
  fi
  __jail_settled=$__jail_farms:$PATH
}

# Says when commands in a project run without a jail although the hook is there.
function __jail_check {
  local __jail_each __jail_bare=''
  if [[ :${PATH-}: != *":$__jail_farm:"* || ! -x $__jail_farm/$__jail_probe ]]; then
    builtin printf 'jail: the shims in %q cannot be run, commands here are not jailed\n' "$__jail_farm" >&2
    builtin printf 'jail: hint: %s\n' "eval \"\$(jail-hook init bash)\"" >&2
    return 0
  fi
  # The rest only when it may have become otherwise: it looks through all of PATH.
  if [[ $__jail_root:${PATH-} == "$__jail_checked" ]]; then return 0; fi
  __jail_checked=$__jail_root:${PATH-}
  for __jail_each in "${__jail_names[@]}"; do
    if [[ ! -x $__jail_farm/$__jail_each && ! -x $__jail_roots$__jail_root/shims/$__jail_each ]] &&
      builtin type -P "$__jail_each"; then
      __jail_bare+=" $__jail_each"
    fi
  done >/dev/null
  if [[ -n $__jail_bare ]]; then
    builtin printf 'jail: without a shim, so not jailed here:%s\n' "$__jail_bare" >&2
    builtin printf 'jail: hint: jail-hook shims refresh; hash -r\n' >&2
  fi
}

# One line when the root is another than at the last prompt, for people only.
function __jail_say {
  local __jail_on=$'\e[2m' __jail_off=$'\e[m' __jail_quoted
  if [[ $__jail_root == "$__jail_shown" || $__jail_root -ef $__jail_shown ]]; then return 0; fi
  __jail_shown=$__jail_root
  if [[ ! -t 2 ]]; then return 0; fi
  if [[ -n ${NO_COLOR-} || ${TERM-dumb} == dumb ]]; then __jail_on='' __jail_off=''; fi
  if [[ -z $__jail_root ]]; then
    builtin printf '%sjail: off%s\n' "$__jail_on" "$__jail_off" >&2
  else
    builtin printf -v __jail_quoted %q "${__jail_name:-/}" # no control character gets through
    builtin printf '%sjail: on (%s)%s\n' "$__jail_on" "$__jail_quoted" "$__jail_off" >&2
  fi
}

# Runs at every prompt, after everything else that may have changed PATH.
function __jail_prompt {
  local __jail_status=$?
  __jail_refresh
  if [[ -n $__jail_root ]]; then __jail_check; fi
  __jail_say
  # Called by another hook, and not by our entry, a status would end the shell.
  case $- in *e*) return 0 ;; esac
  return "$__jail_status"
}

# Reports whether we may define the function $1. A cd of the user's own stays as it
# is, and the prompt catches up.
function __jail_may_define {
  if builtin declare -F "$1" >/dev/null; then
    if ! __jail_ours "$1"; then return 1; fi
    builtin unset -f "$1"
  fi
  [[ -n $__jail_cd ]]
}

# At once on a change of directory: `cd proj && npm install`. Each stands alone,
# since agents copy functions into `bash -c` and leave some of them behind.
if __jail_may_define cd; then
  function cd {
    if builtin cd ${1+"$@"}; then set -- 0; else set -- "$?"; fi
    if builtin declare -F __jail_refresh >/dev/null; then __jail_refresh; fi
    return "$1"
  }
fi
if __jail_may_define pushd; then
  function pushd {
    if builtin pushd ${1+"$@"}; then set -- 0; else set -- "$?"; fi
    if builtin declare -F __jail_refresh >/dev/null; then __jail_refresh; fi
    return "$1"
  }
fi
if __jail_may_define popd; then
  function popd {
    if builtin popd ${1+"$@"}; then set -- 0; else set -- "$?"; fi
    if builtin declare -F __jail_refresh >/dev/null; then __jail_refresh; fi
    return "$1"
  }
fi

# Puts our entry last. Commands already there stay as they are, byte for byte: a
# line of its own needs no knowledge of how the one before it ends.
function __jail_attach {
  local __jail_before __jail_line=$'\n'$__jail_entry
  __jail_take PROMPT_COMMAND
  # An array since bash 5.1; before, only its first element would run.
  if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 51 && -n ${PROMPT_COMMAND[*]+set} && ${PROMPT_COMMAND[*]@a} == *a* ]]; then
    if [[ ${PROMPT_COMMAND[*]@a} != *r* ]]; then
      PROMPT_COMMAND+=("$__jail_entry")
      return 0
    fi
  else
    __jail_before=${PROMPT_COMMAND-}
    if [[ -z ${PROMPT_COMMAND+set} ]]; then __jail_line=$__jail_entry; fi
    if builtin printf -v PROMPT_COMMAND %s "$__jail_before$__jail_line" 2>/dev/null; then return 0; fi
  fi
  case $- in *i*) builtin printf 'jail: PROMPT_COMMAND is readonly, so only cd, pushd and popd switch the jail\n' >&2 ;; esac
}

__jail_attach
builtin unset -f __jail_attach __jail_take __jail_ours __jail_may_define
__jail_settled='' __jail_checked=''
__jail_refresh
__jail_shown=$__jail_root
builtin unset __jail_cd
# One command, read before aliases count again.
case $__jail_aliases in
1) builtin unset __jail_aliases && builtin shopt -s expand_aliases ;;
*) builtin unset __jail_aliases ;;
esac
