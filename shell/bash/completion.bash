# shellcheck shell=bash
# Completion of jail and jail-hook for bash. The programs themselves say which words
# there are, at each TAB; none is written down here. It is loaded at the first TAB
# behind one of their names, so a shell that starts pays nothing for it.
#
# jail COMMAND is completed as COMMAND is.

# Sets __jail_help to the options of jail, a line each.
__jail_options() {
  __jail_help=$'\n'$(command jail --help 2>/dev/null)$'\n'
}

# Sets __jail_value to what stands for the value of the option $1, and to nothing
# for one that takes none.
__jail_value_of() {
  __jail_value=''
  case $__jail_help in
  *$'\n'"  $1 "[!\ ]*)
    __jail_value=${__jail_help#*$'\n'"  $1 "}
    __jail_value=${__jail_value%%[[:space:]]*}
    ;;
  esac
}

# Completes $1 as the value that $2 stands for.
__jail_complete_value() {
  case $2 in
  *'|'*) mapfile -t COMPREPLY < <(compgen -W "${2//|/ }" -- "$1") ;;
  DIR*) mapfile -t COMPREPLY < <(compgen -d -- "$1") && compopt -o filenames ;;
  PATH*) mapfile -t COMPREPLY < <(compgen -f -- "$1") && compopt -o filenames ;;
  NAME*) mapfile -t COMPREPLY < <(compgen -e -- "$1") ;;
  esac
}

# Completes the command that begins at word $1 as if nothing stood before it.
__jail_offset() {
  local __jail_at=$1 __jail_spec __jail_line __jail_length=${#COMP_LINE} __jail_i
  if declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset "$__jail_at"
    return
  fi
  if declare -F _command_offset >/dev/null; then
    _command_offset "$__jail_at"
    return
  fi
  if ((__jail_at == COMP_CWORD)); then
    mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
    return
  fi
  __jail_spec=$(complete -p -- "${COMP_WORDS[__jail_at]}" 2>/dev/null)
  if [[ $__jail_spec != *' -F '* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}") && compopt -o filenames
    return
  fi
  __jail_spec=${__jail_spec#* -F }
  __jail_line=$COMP_LINE
  for ((__jail_i = 0; __jail_i < __jail_at; __jail_i++)); do
    __jail_line=${__jail_line#*"${COMP_WORDS[__jail_i]}"}
  done
  COMP_LINE=${__jail_line#"${__jail_line%%[![:space:]]*}"}
  ((COMP_POINT -= __jail_length - ${#COMP_LINE}))
  COMP_WORDS=("${COMP_WORDS[@]:__jail_at}")
  ((COMP_CWORD -= __jail_at))
  "${__jail_spec%% *}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
}

_jail() {
  local __jail_help __jail_value='' __jail_cur=${COMP_WORDS[COMP_CWORD]} __jail_at=1 __jail_word
  COMPREPLY=()
  __jail_options
  # Past our own options, to the command.
  while ((__jail_at < COMP_CWORD)); do
    __jail_word=${COMP_WORDS[__jail_at]}
    case $__jail_word in
    --)
      __jail_offset $((__jail_at + 1))
      return
      ;;
    -?*) __jail_value_of "$__jail_word" ;;
    *)
      __jail_offset "$__jail_at"
      return
      ;;
    esac
    ((__jail_at++))
    if [[ $__jail_value ]]; then
      # bash makes a word of its own of the sign in --mode=worker.
      if [[ ${COMP_WORDS[__jail_at]-} == = ]] && ((__jail_at < COMP_CWORD)); then ((__jail_at++)); fi
      if ((__jail_at == COMP_CWORD)); then
        __jail_complete_value "${__jail_cur#=}" "$__jail_value"
        return
      fi
      ((__jail_at++))
    fi
  done
  if [[ $__jail_cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${__jail_help//[!a-z-]/ }" -- "$__jail_cur")
    local __jail_each __jail_known=()
    for __jail_each in "${COMPREPLY[@]}"; do
      if [[ $__jail_help == *$'\n'"  $__jail_each "* ]]; then __jail_known+=("$__jail_each"); fi
    done
    COMPREPLY=("${__jail_known[@]}")
    return
  fi
  __jail_offset "$__jail_at"
}

_jail_hook() {
  local __jail_cur=${COMP_WORDS[COMP_CWORD]} __jail_line __jail_words=()
  COMPREPLY=()
  if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} == bypass ]]; then
    __jail_line=2
    if ((COMP_CWORD > 2)) && [[ ${COMP_WORDS[2]} == -- ]]; then __jail_line=3; fi
    __jail_offset "$__jail_line"
    return
  fi
  while IFS= read -r __jail_line; do
    __jail_line=${__jail_line%%$'\t'*}
    case $__jail_line in
    '<directory>') mapfile -t COMPREPLY < <(compgen -d -- "$__jail_cur") && compopt -o filenames ;;
    '<command>') mapfile -t COMPREPLY < <(compgen -c -- "$__jail_cur") ;;
    -*)
      if [[ $__jail_cur == -* && $__jail_line == "$__jail_cur"* ]]; then __jail_words+=("$__jail_line"); fi
      ;;
    *)
      if [[ $__jail_line == "$__jail_cur"* ]]; then __jail_words+=("$__jail_line"); fi
      ;;
    esac
  done < <(command jail-hook completions words "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
  COMPREPLY+=("${__jail_words[@]}")
  if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace; fi
}

complete -F _jail jail
complete -F _jail_hook jail-hook
