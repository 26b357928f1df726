# shellcheck shell=bash
# shellcheck disable=SC2154 # the settings come first, in one line of assignments
# shellcheck disable=SC2164 # what happens when cd fails is up to whoever called it
# shellcheck disable=SC2178,SC2128 # PROMPT_COMMAND is a string or an array
# The hook of jail for bash: keeps the farms of shims first on PATH in a project
# and off it elsewhere.
#
# It starts no process, but where a directory of PATH in a project has changed by other
# hands than a jailed command's. Every run works out from the working directory and from
# PATH itself what PATH should be: no PATH is saved and no variable says "active",
# so nothing can be stale or inherited. It only reminds; each shim decides for
# itself. Where a project may not be, as in /tmp, a marker counts here as well: the
# shim is to say so, and not to be left out.
#
# All names begin with __jail_, the locals too: a local of the name of a readonly
# variable of the user's would be an error at every prompt.

__jail_run=__jail_prompt

# Reads the list of known roots when it may be another one than the copy, which its
# first line tells. The list has a second name that ends in the number in that line: as
# long as the two are one file, it need not be opened. Only mapfile reads a line as it
# is, whatever IFS says.
function __jail_read {
  local -a __jail_lines
  local __jail_line
  if [[ ! -r $__jail_list ]]; then
    if [[ -n $__jail_serial ]]; then __jail_serial='' __jail_known=(); fi
    return 0
  fi
  {
    builtin mapfile -t -n 1 __jail_lines
    if [[ ${__jail_lines[0]-} != "$__jail_serial" ]]; then
      __jail_serial=${__jail_lines[0]-} __jail_known=()
      __jail_twin=$__jail_list.${__jail_serial##* }
      if [[ $__jail_serial == 'jail roots 1 '* ]]; then
        builtin mapfile -t __jail_lines
        for __jail_line in ${__jail_lines[@]+"${__jail_lines[@]}"}; do
          if [[ $__jail_line == *' /'?* ]]; then __jail_known["x$__jail_line"]=1; fi
        done
      fi
    fi
  } <"$__jail_list"
}

# Sets __jail_root to the nearest directory at or above the working directory that
# is a project, and __jail_name to what to call it; the root is empty outside. A
# project is what holds a marker, a root that is known, or what lies directly below
# a jail_below of the user's. A link that leads to nothing is a marker too: a
# directory was there once, and the shim takes it for one.
function __jail_find {
  local __jail_dir __jail_linked=''
  if [[ ! $__jail_list -ef $__jail_twin ]]; then __jail_read; fi
  if [[ ${PWD-}:$__jail_serial != "$__jail_seen" ]]; then __jail_recall; fi
  # By the path that the shell shows. Where no link is in it, that is all.
  for __jail_dir in "${__jail_above[@]}"; do
    if [[ -d $__jail_dir/.ai-jail || $__jail_dir == "$__jail_level" || -L $__jail_dir ]]; then
      if [[ -d $__jail_dir/.ai-jail || $__jail_dir == "$__jail_level" ]]; then
        __jail_root=${__jail_dir:-/} __jail_name=${__jail_dir##*/}
        return 0
      fi
      __jail_linked=1
    fi
  done
  __jail_root=''
  if [[ -n $__jail_linked || ! . -ef ${PWD-} ]]; then __jail_look; fi
}

# What follows from the text of PWD and of the list alone: __jail_above, PWD and what
# lies above it, which for /srv/app is /srv/app, /srv and "", and __jail_level, the
# nearest of them that the list makes a project. A marker that leads to nothing makes it
# one, too: too rare to be looked for at each prompt.
function __jail_recall {
  local __jail_dir=${PWD-} __jail_key=${PWD-}
  __jail_seen=${PWD-}:$__jail_serial __jail_level=none __jail_above=()
  # The list writes a backslash and a newline as \\ and \n.
  if [[ $__jail_key == *[\\$'\n']* ]]; then
    __jail_key=${__jail_key//"\\"/"\\\\"}
    __jail_key=${__jail_key//$'\n'/"\\n"}
  fi
  # A PWD that is no path at all ends the loop as well.
  while [[ $__jail_key == */* ]]; do
    __jail_above+=("$__jail_dir")
    if [[ $__jail_level == none ]] && [[ -n ${__jail_known["xroot $__jail_key"]-}${__jail_known["xbelow ${__jail_key%/*}"]-} ||
      -L $__jail_dir/.ai-jail && ! -e $__jail_dir/.ai-jail ]]; then
      __jail_level=$__jail_dir
    fi
    __jail_dir=${__jail_dir%/*} __jail_key=${__jail_key%/*}
  done
  __jail_above+=("$__jail_dir")
}

# Goes on where __jail_find found nothing and the path on disk is another: ./../..
# and so on, 64 times at most.
function __jail_look {
  local __jail_up=. __jail_path
  # Only a root that is known has a path. To look for all of them at every level is
  # slow, so what was found counts as long as the path is the same.
  if [[ ${PWD-}:$__jail_serial != "$__jail_looked" ]]; then
    __jail_looked=${PWD-}:$__jail_serial __jail_depth='' __jail_there=''
    while [[ ${#__jail_up} -lt 193 && ${#__jail_known[@]} -gt 0 ]]; do
      if __jail_same root "$__jail_up" || __jail_same below "$__jail_up/.."; then
        __jail_depth=$__jail_up
        if [[ $__jail_path -ef $__jail_up ]]; then __jail_there=$__jail_path; fi
        break
      fi
      if [[ $__jail_up -ef / ]]; then break; fi
      __jail_up+=/..
    done
    __jail_up=.
  fi
  while [[ ! -d $__jail_up/.ai-jail && $__jail_up != "$__jail_depth" ]]; do
    if [[ -L $__jail_up/.ai-jail && ! -e $__jail_up/.ai-jail ]]; then break; fi
    if [[ $__jail_up -ef / || ${#__jail_up} -gt 192 ]]; then return 0; fi
    __jail_up+=/..
  done
  if [[ $__jail_up == "$__jail_depth" && -n $__jail_there ]]; then
    __jail_root=$__jail_there __jail_name=${__jail_there##*/}
  else
    __jail_root=${PWD:-.}${__jail_up#.} __jail_name=${PWD##*/}${__jail_up#.}
  fi
}

# Sets __jail_path, a local of the caller's, to what the list says of the kind $1
# that is the directory $2, and with $3 only to one that has a farm.
function __jail_same {
  local __jail_line
  for __jail_line in ${__jail_known[@]+"${!__jail_known[@]}"}; do
    if [[ $__jail_line == "x$1 "* ]]; then
      __jail_path=${__jail_line#* }
      if [[ $__jail_path == *\\* ]]; then builtin printf -v __jail_path %b "$__jail_path"; fi
      if [[ $__jail_path -ef $2 ]] && [[ -z ${3-} || -d $__jail_roots$__jail_path/shims ]]; then return 0; fi
    fi
  done
  return 1
}

# Sets __jail_place to the farm that the root $1 alone has. It lies at the root's path,
# be it this one or another that is known. It may appear at any moment, by a command
# that runs in the background, so it is on PATH before it exists. What has a colon
# cannot be there.
function __jail_claim {
  local __jail_path
  __jail_place=''
  case $1 in
  '' | *:* | */.. | */../*) return 0 ;;
  esac
  __jail_place=$__jail_roots$1/shims
  if [[ ! -d $__jail_place ]] && __jail_same root "$1" farm && [[ $__jail_path != *:* ]]; then
    __jail_place=$__jail_roots$__jail_path/shims
  fi
}

# Finds the directories of __jail_path that lie in a project, be it this one or one
# that was left with its environment active: __jail_within, and beside each of them in
# __jail_over the farm that has to come before it.
function __jail_survey {
  local __jail_each __jail_dir __jail_key __jail_rest=$__jail_path:
  __jail_surveyed=$__jail_path:$__jail_serial:$__jail_root __jail_within=() __jail_over=()
  while [[ -n $__jail_rest ]]; do
    __jail_each=${__jail_rest%%:*} __jail_rest=${__jail_rest#*:}
    __jail_dir=$__jail_each __jail_key=$__jail_each
    if [[ $__jail_key == *[\\$'\n']* ]]; then
      __jail_key=${__jail_key//"\\"/"\\\\"}
      __jail_key=${__jail_key//$'\n'/"\\n"}
    fi
    while [[ $__jail_dir == /* && ! -d $__jail_dir/.ai-jail ]]; do
      if [[ -n ${__jail_known["xroot $__jail_key"]-}${__jail_known["xbelow ${__jail_key%/*}"]-} ]]; then break; fi
      if [[ -L $__jail_dir/.ai-jail && ! -e $__jail_dir/.ai-jail ]]; then break; fi
      __jail_dir=${__jail_dir%/*} __jail_key=${__jail_key%/*}
    done
    if [[ $__jail_dir == /* ]]; then
      __jail_claim "$__jail_dir"
      if [[ -n $__jail_place ]]; then __jail_within+=("$__jail_each") __jail_over+=("$__jail_place"); fi
    fi
  done
}

# Puts the farms first in a project, or takes them out: every occurrence of our
# own entries, and never another one. A root's own farm is there as long as a
# directory of its project is, wherever one goes.
function __jail_refresh {
  # Functions that were copied, or exported, without what belongs to them. A table that
  # is missing is never asked: it would be one of numbers, and what stands in brackets
  # would be evaluated.
  if [[ -z ${__jail_farm-} ]]; then return 0; fi
  if [[ -z ${__jail_ready[0]-} ]]; then
    builtin unset __jail_known __jail_within __jail_over
    builtin declare -gA __jail_known
    __jail_known=() __jail_ready=(1) __jail_within=() __jail_over=() __jail_serial='' __jail_twin='' __jail_seen='' __jail_settled='' __jail_surveyed=none
  fi
  __jail_find
  # What PATH should be depends on nothing but these.
  if [[ $__jail_root:$__jail_serial:${PATH-} != "$__jail_settled" ]]; then __jail_settle; fi
}

# Makes PATH what it should be.
function __jail_settle {
  local __jail_path __jail_place __jail_each __jail_farms
  if [[ $__jail_root:$__jail_serial != "$__jail_claimed" ]]; then
    __jail_claim "$__jail_root"
    __jail_claimed=$__jail_root:$__jail_serial __jail_own=$__jail_place
  fi
  # The prompt says so; what stands on this line behind cd is not to run without a jail.
  if [[ -n $__jail_root && ! -x $__jail_farm/$__jail_probe ]]; then __jail_bar; fi
  if [[ -z ${PATH+set} ]]; then return 0; fi
  __jail_strip
  # With a root that is another, a directory of PATH may lie in a project that was none.
  if [[ $__jail_path:$__jail_serial:$__jail_root != "$__jail_surveyed" ]]; then __jail_survey; fi
  __jail_farms=${__jail_own:+:$__jail_own}
  for __jail_each in ${__jail_over[@]+"${__jail_over[@]}"}; do
    if [[ $__jail_farms: != *":$__jail_each:"* ]]; then __jail_farms+=:$__jail_each; fi
  done
  if [[ -n $__jail_root$__jail_always ]]; then __jail_farms+=:$__jail_farm; fi
  if [[ -n $__jail_farms ]]; then __jail_path=${__jail_farms#:}${__jail_path:+:$__jail_path}; fi
  # Assigning PATH empties the table of commands, so only where it differs; and not
  # by =, since that ends everything where PATH is readonly.
  if [[ $__jail_path != "$PATH" ]]; then
    builtin printf -v PATH %s "$__jail_path" 2>/dev/null || return 0
  fi
  __jail_settled=$__jail_root:$__jail_serial:$PATH
}

# Says when commands in a project run without a jail although the hook is there.
function __jail_check {
  if [[ :${PATH-}: != *":$__jail_farm:"* || ! -x $__jail_farm/$__jail_probe ]]; then
    builtin printf 'jail: the shims in %q cannot be run, commands here are not jailed\n' "$__jail_farm" >&2
    builtin printf 'jail: hint: %s\n' "eval \"\$(jail-hook init bash)\"" >&2
    __jail_bar
    return 0
  fi
  # The rest only when it may have become otherwise: it looks through all of PATH.
  if [[ $__jail_root:${PATH-} != "$__jail_checked" ]]; then
    __jail_checked=$__jail_root:${PATH-}
    __jail_search
  fi
}

# Where the shims are not found, or cannot be run, a function for each name asks for its
# shim by path, and where there is none says so and runs nothing. Each stands alone.
function __jail_bar {
  local __jail_each __jail_code
  for __jail_each in ${__jail_names[@]+"${__jail_names[@]}"}; do
    if builtin declare -F "$__jail_each" || ! builtin type -P "$__jail_each"; then continue; fi
    # shellcheck disable=SC2016 # it is expanded when the function runs
    builtin printf -v __jail_code 'function %s {
  if [[ -z ${__jail_root-} ]]; then builtin command %s ${1+"$@"}
  elif [[ -x $__jail_farm/%s ]]; then "$__jail_farm/%s" ${1+"$@"}
  elif [[ -x $__jail_farm/$__jail_probe ]]; then builtin command %s ${1+"$@"}
  else
    builtin printf "jail: %s is not run without a jail, and the shims in %%q cannot be run\n" "$__jail_farm" >&2
    builtin printf "jail: hint: %%s\n" "eval \\"\\$(jail-hook init bash)\\"" >&2
    return 126
  fi
}' "$__jail_each" "$__jail_each" "$__jail_each" "$__jail_each" "$__jail_each" "$__jail_each"
    eval "$__jail_code"
    __jail_made+=("$__jail_each")
  done >/dev/null
}

# Says which names have no shim.
function __jail_search {
  local __jail_each __jail_bare=''
  for __jail_each in ${__jail_names[@]+"${__jail_names[@]}"}; do
    if [[ ! -x $__jail_farm/$__jail_each && ! -x $__jail_own/$__jail_each ]] && builtin type -P "$__jail_each"; then
      __jail_bare+=" $__jail_each"
    fi
  done >/dev/null
  if [[ -n $__jail_bare ]]; then
    builtin printf 'jail: without a shim, so not jailed here:%s\n' "$__jail_bare" >&2
    builtin printf 'jail: hint: jail-hook shims refresh; hash -r\n' >&2
  fi
}

# Sets __jail_new to the directories of PATH in projects whose programs may have no
# shims: those that have changed since, and with $1 also those that their farm does
# not know. A jailed command leaves none behind, but git and the user may.
function __jail_behind {
  local __jail_at
  local -a __jail_lines
  __jail_new=''
  for __jail_at in ${__jail_within[@]+"${!__jail_within[@]}"}; do
    if [[ ! -d ${__jail_within[__jail_at]} ]]; then continue; fi
    if [[ ! ${__jail_within[__jail_at]} -nt ${__jail_over[__jail_at]}/.state ]]; then
      if [[ -z $1 ]]; then continue; fi
      __jail_lines=()
      if [[ -r ${__jail_over[__jail_at]}/.state ]]; then builtin mapfile -t __jail_lines <"${__jail_over[__jail_at]}/.state"; fi
      # A farm's state has each of its directories as a line, in double quotes.
      builtin printf -v __jail_lines '%s\n' '' ${__jail_lines[@]+"${__jail_lines[@]}"}
      if [[ $__jail_lines == *$'\n"'"${__jail_within[__jail_at]}"$'"\n'* ]]; then continue; fi
    fi
    __jail_new=${__jail_within[__jail_at]}
  done
}

# Brings the farms of roots up to date where they lag behind. This is the one program
# that the hook ever starts.
function __jail_renew {
  local __jail_new __jail_first=''
  if [[ $__jail_sure != "$__jail_surveyed" ]]; then __jail_first=1; fi
  __jail_sure=$__jail_surveyed
  __jail_behind "$__jail_first"
  if [[ $__jail_new == "$__jail_stale" ]]; then return 0; fi
  if [[ -n $__jail_new && -x $__jail_hook ]] && "$__jail_hook" shims refresh </dev/null >/dev/null 2>&1; then
    __jail_behind ''
  fi
  __jail_stale=$__jail_new
  builtin hash -r # or what was found before there was a shim stays found
  if [[ -z $__jail_new ]]; then return 0; fi
  builtin printf 'jail: %q has changed, so programs in it may run without a jail\n' "$__jail_new" >&2
  builtin printf 'jail: hint: jail-hook shims refresh\n' >&2
}

# One line when the root is another than at the last prompt, for people only.
function __jail_say {
  local __jail_on=$'\e[2m' __jail_off=$'\e[m' __jail_quoted __jail_was=$__jail_shown
  if [[ $__jail_root -ef $__jail_shown ]]; then return 0; fi
  __jail_shown=$__jail_root
  if [[ ! -t 2 ]]; then return 0; fi
  if [[ -n ${NO_COLOR-} || ${TERM-dumb} == dumb ]]; then __jail_on='' __jail_off=''; fi
  # No control character gets through %q.
  if [[ -n $__jail_root ]]; then
    builtin printf -v __jail_quoted %q "${__jail_name:-/}"
    builtin printf '%sjail: on (%s)%s\n' "$__jail_on" "$__jail_quoted" "$__jail_off" >&2
  elif [[ :${PATH-}: == *":$__jail_was/"* ]]; then
    # What is left of an environment that is still active is jailed as before.
    __jail_quoted=:$PATH
    __jail_was+=/${__jail_quoted#*":$__jail_was/"}
    builtin printf -v __jail_quoted %q "${__jail_was%%:*}"
    builtin printf '%sjail: off, with %s still on PATH%s\n' "$__jail_on" "$__jail_quoted" "$__jail_off" >&2
  else
    builtin printf '%sjail: off%s\n' "$__jail_on" "$__jail_off" >&2
  fi
}

# Runs at every prompt, after everything else that may have changed PATH.
function __jail_prompt {
  local __jail_status=$?
  if [[ -n ${__jail_farm-} ]]; then
    __jail_refresh
    # Where nothing has changed, no call of a function that would find that out.
    if [[ -n ${__jail_within[0]-}$__jail_root$__jail_shown ]]; then
      if [[ -n ${__jail_within[0]-} ]]; then __jail_renew; fi
      if [[ -n $__jail_root ]] && [[ $__jail_root:${PATH-} != "$__jail_checked" || ! -x $__jail_farm/$__jail_probe ]]; then __jail_check; fi
      if [[ $__jail_root != "$__jail_shown" ]]; then __jail_say; fi
    fi
  fi
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

# Where another tool has a cd of its own that calls a list of functions, as mise has, we
# are the last in that list.
function __jail_join {
  __jail_leave
  if [[ -z $__jail_cd || ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -lt 51 || -z ${chpwd_functions[*]+set} ]]; then return 0; fi
  if [[ ${chpwd_functions[*]@a} == *a* && ${chpwd_functions[*]@a} != *r* ]]; then chpwd_functions+=(__jail_refresh); fi
}

# Functions for the names, where the user wants them: no PATH of an environment that
# is activated on the same line comes before them. Each stands alone, too.
function __jail_harden {
  local __jail_each __jail_code
  for __jail_each in ${__jail_made[@]+"${__jail_made[@]}"}; do
    if builtin declare -F "$__jail_each" >/dev/null && __jail_ours "$__jail_each"; then builtin unset -f "$__jail_each"; fi
  done
  __jail_made=()
  for __jail_each in ${__jail_strict[@]+"${__jail_strict[@]}"}; do
    if builtin declare -F "$__jail_each" >/dev/null; then continue; fi
    # shellcheck disable=SC2016 # it is expanded when the function runs
    builtin printf -v __jail_code 'function %s {
  if [[ -n ${__jail_root-} && -x %q ]]; then %q %s ${1+"$@"}; else builtin command %s ${1+"$@"}; fi
}' "$__jail_each" "$__jail_launcher" "$__jail_launcher" "$__jail_each" "$__jail_each"
    eval "$__jail_code"
    __jail_made+=("$__jail_each")
  done
}

# Puts our entry last. Commands already there stay as they are, byte for byte: a
# line of its own needs no knowledge of how the one before it ends.
function __jail_attach {
  local __jail_before __jail_line=$'\n'$__jail_entry __jail_at __jail_ref
  __jail_take PROMPT_COMMAND
  # An array since bash 5.1; before, only its first element would run.
  if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 51 && -n ${PROMPT_COMMAND[*]+set} && ${PROMPT_COMMAND[*]@a} == *a* ]]; then
    if [[ ${PROMPT_COMMAND[*]@a} != *r* ]]; then
      for __jail_at in "${!PROMPT_COMMAND[@]}"; do
        __jail_before=${PROMPT_COMMAND[__jail_at]}
        __jail_follow
        PROMPT_COMMAND[__jail_at]=$__jail_before
      done
      PROMPT_COMMAND+=("$__jail_entry")
      return 0
    fi
  else
    __jail_before=${PROMPT_COMMAND-}
    __jail_follow
    if [[ -z ${PROMPT_COMMAND+set} ]]; then __jail_line=$__jail_entry; fi
    if builtin printf -v PROMPT_COMMAND %s "$__jail_before$__jail_line" 2>/dev/null; then return 0; fi
  fi
  case $- in *i*) builtin printf 'jail: PROMPT_COMMAND is readonly, so only cd, pushd and popd switch the jail\n' >&2 ;; esac
}

# Puts our entry behind those in __jail_before that are known to put directories of
# the project first on PATH. Prompts that come after them in the same list call git,
# and must not find one in node_modules/.bin.
function __jail_follow {
  local __jail_each __jail_rest
  for __jail_each in _direnv_hook _mise_hook_prompt_command _mise_hook _pyenv_virtualenv_hook; do
    __jail_rest=${__jail_before#*"$__jail_each"}
    if [[ $__jail_rest != "$__jail_before" ]] && [[ -z $__jail_rest || $__jail_rest == [\;$'\n']* ]]; then
      __jail_before=${__jail_before%%"$__jail_each"*}$__jail_each\;$__jail_entry$__jail_rest
    fi
  done
}

# Takes out what was put on PATH when the hook was loaded with other directories.
function __jail_replace {
  local __jail_path __jail_farm=$__jail_was_farm __jail_roots=$__jail_was_roots
  if [[ -z $__jail_farm || -z ${PATH+set} ]]; then return 0; fi
  __jail_strip
  builtin printf -v PATH %s "$__jail_path" 2>/dev/null || return 0
}

if [[ $__jail_was_farm != "$__jail_farm" ]]; then __jail_replace; fi
__jail_attach
__jail_join
__jail_harden
builtin unset -f __jail_replace __jail_attach __jail_join __jail_leave __jail_follow __jail_harden __jail_take __jail_ours __jail_may_define
__jail_settled='' __jail_checked='' __jail_looked='' __jail_seen='' __jail_claimed='' __jail_stale='' __jail_own='' __jail_sure='' __jail_ready=()
__jail_refresh
__jail_shown=$__jail_root
builtin unset __jail_cd __jail_strict __jail_launcher __jail_was_farm __jail_was_roots
# One command, read before aliases count again.
case $__jail_aliases in
1) builtin unset __jail_aliases && builtin shopt -s expand_aliases ;;
*) builtin unset __jail_aliases ;;
esac
