# shellcheck shell=bash
# shellcheck disable=SC2154 # the settings come first, in one line of assignments
# Taking the hook out of the prompt. What `init` prints begins with this as well,
# so that loading the hook again moves it to the end.
#
# An alias of the user's must not get into what is defined here (with alias
# cd='cd -P' a definition of cd is a syntax error), so none is expanded until the
# end. The function keyword and the backslash are there for the same reason.
if \builtin shopt -q expand_aliases; then
  __jail_aliases=1
  \builtin shopt -u expand_aliases
else
  __jail_aliases=
fi

# What PROMPT_COMMAND gets. A variable and not the function's name: a child shell
# that inherits PROMPT_COMMAND and no function then runs `:`. The && keeps a
# status that is not 0 from ending a shell with errexit and from setting off an
# ERR trap, and still hands it to the next command.
# shellcheck disable=SC2016 # it is expanded at the prompt
__jail_entry='"${__jail_run-:}" && :'

# Takes our entry out of the variable $1, be it a string or an array. The name is
# one of our own list; nothing that a project could have written is evaluated.
function __jail_take {
  local __jail_at __jail_ref __jail_text __jail_line=$'\n'$__jail_entry __jail_behind=\;$__jail_entry
  eval "__jail_at=(\"\${!$1[@]}\")" # the indices; a string has the index 0
  for __jail_ref in ${__jail_at[@]+"${__jail_at[@]/#/$1[}"}; do
    __jail_ref+=]
    __jail_text=${!__jail_ref-}
    if [[ $__jail_text == "$__jail_entry" ]]; then
      # Before bash 5.1 the variable can only be a string.
      builtin unset "$__jail_ref" 2>/dev/null || builtin unset "$1" 2>/dev/null || return 0
    elif [[ $__jail_text == *"$__jail_entry"* ]]; then
      __jail_text=${__jail_text//"$__jail_line"/}
      __jail_text=${__jail_text//"$__jail_behind"/}
      # Others have put commands around it, with separators that we cannot know.
      __jail_text=${__jail_text//"$__jail_entry"/:}
      if [[ $__jail_ref == *'[0]' ]]; then __jail_ref=$1; fi # or a string would become an array
      builtin printf -v "$__jail_ref" %s "$__jail_text" 2>/dev/null || return 0
    fi
  done
}

# Takes us out of the list of functions that mise and others have called on a change of
# directory.
function __jail_leave {
  local __jail_at
  # shellcheck disable=SC2154 # it is the other tool's
  for __jail_at in ${chpwd_functions[@]+"${!chpwd_functions[@]}"}; do
    if [[ ${chpwd_functions[__jail_at]} == __jail_refresh ]]; then builtin unset "chpwd_functions[$__jail_at]" 2>/dev/null || return 0; fi
  done
}

# Sets __jail_path, a local of the caller's, to PATH without our own entries, and
# without touching another one.
function __jail_strip {
  local __jail_tail
  __jail_path=:${PATH-}:
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

# Reports whether the function $1 is one of ours: nobody else's mentions these.
function __jail_ours {
  [[ $(builtin declare -f "$1") == *__jail_r[eo]* ]]
}
