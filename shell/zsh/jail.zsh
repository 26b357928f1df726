# The hook of jail for zsh: keeps the farms of shims first on PATH in a project
# and off it elsewhere. bash/jail.bash says how it works and why; this is the same
# with zsh's means.
#
# It is evaluated by `emulate zsh -o no_aliases -c`, with the settings before it:
# no alias of the user's gets into a definition, and each function runs with zsh's
# own options whatever the user has set.

# A call of a function costs more in zsh than all the rest, so there is one at a
# prompt where nothing has changed.

# Runs at every prompt: puts the farms first in a project, or takes them out, every
# occurrence of our own entries and never another one. Then says what there is to
# say. zsh gives every function of the list the same $?.
__jail_prompt() {
  local __jail_dir=${PWD-} __jail_path __jail_tail __jail_farms=$__jail_farm
  # After everything else that may change PATH: behind what was added since.
  if [[ ${precmd_functions[-1]} != __jail_prompt ]]; then
    precmd_functions=("${(@)precmd_functions:#__jail_prompt}" __jail_prompt)
  fi
  # The nearest directory at or above the working directory that holds a marker: by
  # the path that the shell shows, as far as no link is in it.
  while [[ ! -d $__jail_dir/.ai-jail && ! -L $__jail_dir && $__jail_dir == */* ]]; do
    __jail_dir=${__jail_dir%/*}
  done
  if [[ ! -d $__jail_dir/.ai-jail ]] && [[ -L $__jail_dir || ! . -ef ${PWD-} ]]; then
    # A link: the rest of that path, and then the path on disk.
    while [[ ! -d $__jail_dir/.ai-jail && $__jail_dir == */* ]]; do __jail_dir=${__jail_dir%/*}; done
    if [[ ! -d $__jail_dir/.ai-jail ]]; then __jail_dir=${${:-.}:A}; fi
    while [[ ! -d $__jail_dir/.ai-jail && $__jail_dir == */* ]]; do __jail_dir=${__jail_dir%/*}; done
  fi
  if [[ -d $__jail_dir/.ai-jail ]]; then __jail_root=${__jail_dir:-/}; else __jail_root=''; fi
  # A root's own farm lies at the root's path; one with a colon cannot be on PATH.
  if [[ -n $__jail_root && $__jail_root != *:* && -d $__jail_roots$__jail_root/shims ]]; then
    __jail_farms=$__jail_roots$__jail_root/shims:$__jail_farm
  fi
  if [[ -z $__jail_root$__jail_always ]]; then __jail_farms=''; fi
  # What PATH should be depends on nothing but these two.
  if [[ $__jail_farms:${PATH-} != "$__jail_settled" && ${+PATH} -eq 1 ]]; then
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
    if [[ -n $__jail_farms ]]; then __jail_path=$__jail_farms${__jail_path:+:$__jail_path}; fi
    # Assigning PATH empties the table of commands, so only where it differs.
    if [[ $__jail_path != "$PATH" && ${(t)PATH} != *readonly* ]]; then PATH=$__jail_path; fi
    __jail_settled=$__jail_farms:$PATH
  fi
  if [[ -n $__jail_moving ]]; then return 0; fi
  if [[ -n $__jail_root ]]; then
    if [[ :${PATH-}: != *":$__jail_farm:"* || ! -x $__jail_farm/$__jail_probe ]]; then
      __jail_broken
    elif [[ $__jail_root:${PATH-} != "$__jail_checked" ]]; then
      __jail_check
    fi
  fi
  if [[ $__jail_root != "$__jail_shown" ]]; then __jail_say; fi
  return 0
}

# Runs at once on a change of directory: cd proj && npm install.
__jail_move() {
  local __jail_moving=1
  __jail_prompt
}

# Says that commands in a project run without a jail although the hook is there.
__jail_broken() {
  builtin print -ru2 -- "jail: the shims in ${(q-)${(V)__jail_farm}} cannot be run, commands here are not jailed"
  builtin print -ru2 -- 'jail: hint: eval "$(jail-hook init zsh)"'
}

# Says which names are found on PATH and have no shim. It looks through all of PATH,
# so it runs only when that may have become otherwise.
__jail_check() {
  local __jail_each __jail_bare=''
  typeset -g __jail_checked=$__jail_root:${PATH-}
  for __jail_each in $__jail_names; do
    if [[ ! -x $__jail_farm/$__jail_each && ! -x $__jail_roots$__jail_root/shims/$__jail_each ]] &&
      builtin whence -p -- $__jail_each; then
      __jail_bare+=" $__jail_each"
    fi
  done >/dev/null
  if [[ -z $__jail_bare ]]; then return 0; fi
  builtin print -ru2 -- "jail: without a shim, so not jailed here:$__jail_bare"
  builtin print -ru2 -- 'jail: hint: jail-hook shims refresh; rehash'
}

# One line when the root is another than at the last prompt, for people only.
__jail_say() {
  local __jail_on=$'\e[2m' __jail_off=$'\e[m' __jail_name=${__jail_root##*/}
  if [[ $__jail_root -ef $__jail_shown ]]; then return 0; fi
  typeset -g __jail_shown=$__jail_root
  if [[ ! -t 2 ]]; then return 0; fi
  if [[ -n ${NO_COLOR-} || ${TERM-dumb} == dumb ]]; then __jail_on='' __jail_off=''; fi
  if [[ -z $__jail_root ]]; then
    builtin print -ru2 -- "${__jail_on}jail: off$__jail_off"
  else
    # (V) makes control characters visible.
    builtin print -ru2 -- "${__jail_on}jail: on (${(q-)${(V)${__jail_name:-/}}})$__jail_off"
  fi
}

typeset -ga precmd_functions chpwd_functions
precmd_functions=("${(@)precmd_functions:#__jail_prompt}" __jail_prompt)
chpwd_functions=("${(@)chpwd_functions:#__jail_move}" __jail_move)
typeset -g __jail_root='' __jail_settled='' __jail_checked='' __jail_moving=''
__jail_move
typeset -g __jail_shown=$__jail_root
unset __jail_cd # zsh calls a function by itself when the directory changes
