# The hook of jail for zsh: keeps the farms of shims first on PATH in a project
# and off it elsewhere. bash/jail.bash says how it works and why; this is the same
# with zsh's means.
#
# It is evaluated by `emulate zsh -o no_aliases -c`, with the settings before it:
# no alias of the user's gets into a definition, and each function runs with zsh's
# own options whatever the user has set.

# A call of a function costs more in zsh than anything else, and a statement more than
# ten conditions: so there is one call at a prompt where nothing has changed, and what
# can be asked at once is.

# Runs at every prompt: puts the farms first in a project, or takes them out, every
# occurrence of our own entries and never another one. Then says what there is to
# say. zsh gives every function of the list the same $?.
__jail_prompt() {
  local __jail_dir=${PWD-} __jail_linked=''
  # The list of known roots has a second name for each of its states.
  if [[ "$precmd_functions" != "$__jail_order" || ! $__jail_list -ef $__jail_twin || $__jail_dir != "$__jail_seen" ]]; then __jail_changed; fi
  # The nearest directory at or above the working directory that is a project, by the
  # path that the shell shows.
  while [[ ! -d $__jail_dir/.ai-jail && $__jail_dir != "$__jail_level" && $__jail_dir == */* ]]; do
    if [[ -L $__jail_dir ]]; then __jail_linked=1; fi
    __jail_dir=${__jail_dir%/*}
  done
  if [[ ! -d $__jail_dir/.ai-jail && $__jail_dir != "$__jail_level" ]]; then __jail_dir=none; fi
  # Most prompts end here: found where it was, and nothing else has changed either.
  if [[ $__jail_dir:$__jail_root:$__jail_own:${PATH-} == "$__jail_settled" && $__jail_root == "$__jail_shown" && -z $__jail_within &&
    (-z $__jail_root && -z $__jail_linked && . -ef ${PWD-} || $__jail_dir != none && $__jail_root:${PATH-} == "$__jail_checked" && -x $__jail_farm/$__jail_probe) ]]; then return 0; fi
  if [[ $__jail_dir != none ]]; then
    __jail_root=${__jail_dir:-/}
  else
    __jail_root=''
    if [[ -n $__jail_linked || ! . -ef ${PWD-} ]]; then __jail_look; fi
  fi
  # A root's own farm lies at its path on disk. It may appear at any moment, by a
  # command that runs in the background, so it is on PATH before it exists. What has
  # a colon cannot be there.
  if [[ $__jail_root != "$__jail_claimed" ]]; then
    __jail_claimed=$__jail_root __jail_own=${__jail_root:A}
    if [[ -n $__jail_own && $__jail_own != *:* ]]; then __jail_own=$__jail_roots$__jail_own/shims; else __jail_own=''; fi
  fi
  # What PATH should be depends on nothing but these.
  if [[ $__jail_dir:$__jail_root:$__jail_own:${PATH-} != "$__jail_settled" ]]; then __jail_settle; fi
  if [[ -n $__jail_moving ]]; then return 0; fi
  if [[ -n $__jail_within ]]; then __jail_renew; fi
  if [[ -n $__jail_root ]]; then
    if [[ :${PATH-}: != *":$__jail_farm:"* || ! -x $__jail_farm/$__jail_probe ]]; then
      __jail_broken
    elif [[ $__jail_root:${PATH-} != "$__jail_checked" ]]; then
      __jail_search
    fi
  fi
  if [[ $__jail_root != "$__jail_shown" ]]; then __jail_say; fi
  return 0
}

# Puts the farms on PATH, or takes them out. A root's own farm is there as long as a
# directory of its project is, wherever one goes.
__jail_settle() {
  local __jail_path
  local -aU __jail_farms
  # The prompt says so; what stands on this line behind cd is not to run without a jail.
  if [[ -n $__jail_root && ! -x $__jail_farm/$__jail_probe ]]; then __jail_bar; fi
  if ((! ${+PATH})); then return 0; fi
  __jail_strip
  # With a root that is another, a directory of PATH may lie in a project that was none.
  if [[ $__jail_root:$__jail_path != "$__jail_surveyed" ]]; then __jail_survey; fi
  __jail_farms=($__jail_own $__jail_over)
  if [[ -n $__jail_root$__jail_always ]]; then __jail_farms+=($__jail_farm); fi
  if ((${#__jail_farms})); then __jail_path=${(j.:.)__jail_farms}${__jail_path:+:$__jail_path}; fi
  # Assigning PATH empties the table of commands, so only where it differs.
  if [[ $__jail_path != "$PATH" && ${(t)PATH} != *readonly* ]]; then PATH=$__jail_path; fi
  typeset -g __jail_settled=$__jail_dir:$__jail_root:$__jail_own:$PATH
}

# Sets __jail_path, a local of the caller's, to PATH without our own entries, and
# without touching another one.
__jail_strip() {
  local __jail_tail
  __jail_path=:$PATH:
  while [[ $__jail_path == *":$__jail_farm:"* ]]; do
    __jail_path=${__jail_path/":$__jail_farm:"/:}
  done
  while [[ $__jail_path == *":$__jail_roots/"* ]]; do
    __jail_tail=${__jail_path#*":$__jail_roots/"}
    __jail_path=${__jail_path%%":$__jail_roots/"*}:${__jail_tail#*:}
  done
  __jail_path=${__jail_path#:}
  __jail_path=${__jail_path%:}
}

# Finds the directories of __jail_path that lie in a project, be it this one or one
# that was left with its environment active: __jail_within, and beside each of them in
# __jail_over the farm that has to come before it.
__jail_survey() {
  local __jail_each __jail_dir __jail_key
  typeset -g __jail_surveyed=$__jail_root:$__jail_path
  typeset -ga __jail_within __jail_over
  __jail_within=() __jail_over=()
  for __jail_each in "${(@s.:.)__jail_path}"; do
    __jail_dir=$__jail_each __jail_key=${${__jail_each//'\'/'\\'}//$'\n'/'\n'}
    while [[ $__jail_dir == /* && ! -d $__jail_dir/.ai-jail && -z ${__jail_known[$__jail_key]-}${__jail_below[${__jail_key%/*}]-} ]]; do
      if [[ -L $__jail_dir/.ai-jail && ! -e $__jail_dir/.ai-jail ]]; then break; fi
      __jail_dir=${__jail_dir%/*} __jail_key=${__jail_key%/*}
    done
    if [[ $__jail_dir == /* && ${__jail_dir:A} != *:* ]]; then
      __jail_within+=("$__jail_each") __jail_over+=("$__jail_roots${__jail_dir:A}/shims")
    fi
  done
}

# Runs at once on a change of directory: cd proj && npm install.
__jail_move() {
  local __jail_moving=1
  __jail_prompt
}

# Puts us last at the prompt, behind what was added since, and behind those that are
# known to put directories of the project first on PATH: prompts that come after them
# in the list call git, and must not find one in node_modules/.bin.
__jail_arrange() {
  local __jail_each
  local -a __jail_kept
  for __jail_each in "${(@)precmd_functions:#__jail_prompt}"; do
    __jail_kept+=("$__jail_each")
    case $__jail_each in
    _direnv_hook | _mise_hook* | _pyenv_virtualenv_hook) __jail_kept+=(__jail_prompt) ;;
    esac
  done
  if [[ ${__jail_kept[-1]-} != __jail_prompt ]]; then __jail_kept+=(__jail_prompt); fi
  precmd_functions=("${(@)__jail_kept}")
  typeset -g __jail_order="$precmd_functions"
}

# What is done again when the list of hooks, the list of known roots or the directory is
# another one.
__jail_changed() {
  if [[ "$precmd_functions" != "$__jail_order" ]]; then __jail_arrange; fi
  if [[ ! $__jail_list -ef $__jail_twin ]]; then __jail_read; fi
  if [[ $__jail_dir != "$__jail_seen" ]]; then __jail_recall; fi
}

# Sets __jail_level to the nearest directory at or above __jail_dir that the list makes
# a project, which follows from the text of both alone, or a marker that leads to nothing:
# too rare to be looked for at each prompt.
__jail_recall() {
  local __jail_key=$__jail_dir __jail_at=$__jail_dir
  typeset -g __jail_seen=$__jail_dir __jail_level=none
  # The list writes a backslash and a newline as \\ and \n.
  __jail_key=${${__jail_key//'\'/'\\'}//$'\n'/'\n'}
  while [[ $__jail_key == */* ]]; do
    if [[ -n ${__jail_known[$__jail_key]-}${__jail_below[${__jail_key%/*}]-} || -L $__jail_at/.ai-jail && ! -e $__jail_at/.ai-jail ]]; then
      __jail_level=$__jail_at
      return 0
    fi
    __jail_at=${__jail_at%/*} __jail_key=${__jail_key%/*}
  done
}

# Sets __jail_root to the nearest project by the path on disk, where that is another.
__jail_look() {
  local __jail_dir=${${:-.}:A}
  __jail_recall
  while [[ $__jail_dir == */* && ! -d $__jail_dir/.ai-jail && $__jail_dir != "$__jail_level" ]]; do __jail_dir=${__jail_dir%/*}; done
  if [[ -d $__jail_dir/.ai-jail || $__jail_dir == "$__jail_level" ]]; then __jail_root=${__jail_dir:-/}; fi
}

# Takes over the list of known roots where it is another one than the copy. $(<file)
# starts no process.
__jail_read() {
  local __jail_each __jail_text=''
  if [[ -r $__jail_list ]]; then __jail_text="$(<$__jail_list)"; fi
  if [[ $__jail_text == "$__jail_copy" ]]; then return 0; fi
  typeset -g __jail_twin=$__jail_list.${${__jail_text%%$'\n'*}##* }
  typeset -g __jail_copy=$__jail_text __jail_seen='' __jail_settled='' __jail_surveyed=none
  typeset -gA __jail_known __jail_below
  __jail_known=() __jail_below=()
  if [[ $__jail_text != 'jail roots 1 '* ]]; then return 0; fi
  for __jail_each in "${(@f)__jail_text#*$'\n'}"; do
    case $__jail_each in
    'root /'?*) __jail_known[${__jail_each#root }]=1 ;;
    'below /'?*) __jail_below[${__jail_each#below }]=1 ;;
    esac
  done
}

# Says that commands in a project run without a jail although the hook is there.
__jail_broken() {
  builtin print -ru2 -- "jail: the shims in ${(q-)${(V)__jail_farm}} cannot be run, commands here are not jailed"
  builtin print -ru2 -- 'jail: hint: eval "$(jail-hook init zsh)"'
  __jail_bar
}

# Where the shims are not found, or cannot be run, a function for each name asks for its
# shim by path, and where there is none says so and runs nothing. Each stands alone.
__jail_bar() {
  local __jail_each
  for __jail_each in $__jail_names; do
    if typeset -f -- $__jail_each || ! builtin whence -p -- $__jail_each; then continue; fi
    eval "function $__jail_each {
      if [[ -z \${__jail_root-} ]]; then builtin command $__jail_each \"\$@\"
      elif [[ -x \$__jail_farm/$__jail_each ]]; then \"\$__jail_farm/$__jail_each\" \"\$@\"
      elif [[ -x \$__jail_farm/\$__jail_probe ]]; then builtin command $__jail_each \"\$@\"
      else
        builtin print -ru2 -- \"jail: $__jail_each is not run without a jail, and the shims in \${(q-)\${(V)__jail_farm}} cannot be run\"
        builtin print -ru2 -- 'jail: hint: eval \"\$(jail-hook init zsh)\"'
        return 126
      fi
    }"
    __jail_made+=($__jail_each)
  done >/dev/null
}

# Says which names are found on PATH and have no shim. It looks through all of PATH, so
# it runs only when something may have become otherwise.
__jail_search() {
  local __jail_each __jail_bare=''
  typeset -g __jail_checked=$__jail_root:${PATH-}
  for __jail_each in $__jail_names; do
    if [[ ! -x $__jail_farm/$__jail_each && ! -x $__jail_own/$__jail_each ]] && builtin whence -p -- $__jail_each; then
      __jail_bare+=" $__jail_each"
    fi
  done >/dev/null
  if [[ -n $__jail_bare ]]; then
    builtin print -ru2 -- "jail: without a shim, so not jailed here:$__jail_bare"
    builtin print -ru2 -- 'jail: hint: jail-hook shims refresh; rehash'
  fi
}

# Sets __jail_new to the directories of PATH in projects whose programs may have no
# shims: those that have changed since, and with $1 also those that their farm does
# not know. A jailed command leaves none behind, but git and the user may.
__jail_behind() {
  local __jail_at __jail_dir __jail_state __jail_text
  __jail_new=''
  for ((__jail_at = 1; __jail_at <= ${#__jail_within}; __jail_at++)); do
    __jail_dir=$__jail_within[__jail_at] __jail_state=$__jail_over[__jail_at]/.state __jail_text=''
    if [[ ! -d $__jail_dir ]]; then continue; fi
    if [[ -e $__jail_state && ! $__jail_dir -nt $__jail_state ]]; then
      if [[ -z $1 ]]; then continue; fi
      if [[ -r $__jail_state ]]; then __jail_text="$(<$__jail_state)"; fi
      if [[ $__jail_text$'\n' == *$'\n"'"$__jail_dir"$'"\n'* ]]; then continue; fi
    fi
    __jail_new=$__jail_dir
  done
}

# Brings the farms of roots up to date where they lag behind. This is the one program
# that the hook ever starts.
__jail_renew() {
  local __jail_new __jail_first=''
  if [[ $__jail_sure != "$__jail_surveyed" ]]; then __jail_first=1; fi
  typeset -g __jail_sure=$__jail_surveyed
  __jail_behind "$__jail_first"
  if [[ $__jail_new == "$__jail_stale" ]]; then return 0; fi
  if [[ -n $__jail_new && -x $__jail_hook ]] && $__jail_hook shims refresh </dev/null >/dev/null 2>&1; then
    __jail_behind ''
  fi
  typeset -g __jail_stale=$__jail_new
  builtin rehash # or what was found before there was a shim stays found
  if [[ -z $__jail_new ]]; then return 0; fi
  builtin print -ru2 -- "jail: ${(q-)${(V)__jail_new}} has changed, so programs in it may run without a jail"
  builtin print -ru2 -- 'jail: hint: jail-hook shims refresh'
}

# One line when the root is another than at the last prompt, for people only.
__jail_say() {
  local __jail_on=$'\e[2m' __jail_off=$'\e[m' __jail_name=${__jail_root##*/} __jail_was=$__jail_shown
  local -a __jail_left
  if [[ $__jail_root -ef $__jail_shown ]]; then return 0; fi
  typeset -g __jail_shown=$__jail_root
  if [[ ! -t 2 ]]; then return 0; fi
  if [[ -n ${NO_COLOR-} || ${TERM-dumb} == dumb ]]; then __jail_on='' __jail_off=''; fi
  # (V) makes control characters visible.
  if [[ -n $__jail_root ]]; then
    builtin print -ru2 -- "${__jail_on}jail: on (${(q-)${(V)${__jail_name:-/}}})$__jail_off"
    return 0
  fi
  # What is left of an environment that is still active is jailed as before.
  __jail_left=(${(M)path:#"$__jail_was"/*})
  if ((${#__jail_left})); then
    builtin print -ru2 -- "${__jail_on}jail: off, with ${(q-)${(V)__jail_left[1]}} still on PATH$__jail_off"
  else
    builtin print -ru2 -- "${__jail_on}jail: off$__jail_off"
  fi
}

# Functions for the names, where the user wants them: no PATH of an environment that
# is activated on the same line comes before them.
__jail_harden() {
  local __jail_each
  local -a __jail_had
  __jail_had=($__jail_made)
  typeset -ga __jail_made
  __jail_made=()
  for __jail_each in $__jail_had; do
    if [[ "$(typeset -f -- $__jail_each)" == *__jail_root* ]]; then unset -f -- $__jail_each; fi
  done
  for __jail_each in $__jail_strict; do
    if typeset -f -- $__jail_each >/dev/null; then continue; fi
    eval "function $__jail_each {
      if [[ -n \${__jail_root-} && -x ${(qq)__jail_launcher} ]]; then
        ${(qq)__jail_launcher} $__jail_each \"\$@\"
      else
        builtin command $__jail_each \"\$@\"
      fi
    }"
    __jail_made+=($__jail_each)
  done
}

# Takes out what was put on PATH when the hook was loaded with other directories.
__jail_replace() {
  local __jail_path __jail_farm=$__jail_was_farm __jail_roots=$__jail_was_roots
  if [[ -z $__jail_farm ]] || ((! ${+PATH})) || [[ ${(t)PATH} == *readonly* ]]; then return 0; fi
  __jail_strip
  PATH=$__jail_path
}

if [[ $__jail_was_farm != "$__jail_farm" ]]; then __jail_replace; fi
typeset -ga precmd_functions chpwd_functions __jail_made __jail_within __jail_over
typeset -gA __jail_known __jail_below
__jail_known=() __jail_below=() __jail_within=() __jail_over=()
chpwd_functions=("${(@)chpwd_functions:#__jail_move}" __jail_move)
typeset -g __jail_root='' __jail_settled='' __jail_checked='' __jail_moving='' __jail_order=none __jail_copy='' __jail_twin='' __jail_seen='' __jail_level=none __jail_claimed='' __jail_own='' __jail_stale='' __jail_surveyed=none __jail_sure=''
__jail_move
typeset -g __jail_shown=$__jail_root
__jail_harden
unset -f __jail_harden __jail_replace
# zsh calls a function by itself when the directory changes, so nothing is said of cd.
unset __jail_cd __jail_strict __jail_launcher __jail_was_farm __jail_was_roots
