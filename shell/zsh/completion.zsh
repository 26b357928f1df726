#compdef jail jail-hook
# Completion of jail and jail-hook for zsh, as a file _jail in a directory of fpath
# or evaluated after compinit. The programs themselves say which words there are, at
# each TAB. jail COMMAND is completed as COMMAND is.

# Completes the words from number $1 on, as if nothing stood before them.
_jail_offset() {
  shift $(($1 - 1)) words
  ((CURRENT -= $1 - 1))
  _normal
}

_jail_options() {
  local -a options valued
  local -i at=2
  local line name value text
  for line in ${(f)"$(command jail --help 2>/dev/null)"}; do
    if [[ $line != '  --'* ]]; then continue; fi
    line=${line#  }
    name=${line%% *} value=''
    line=${line#$name}
    # One blank and a word behind the name: it stands for the value.
    if [[ $line == ' '[^\ ]* ]]; then value=${${line# }%% *} line=${line# $value}; fi
    text=${line#"${line%%[^ ]*}"}
    text=${${text//\[/\\[}//\]/\\]}
    if [[ -n $value ]]; then valued+=($name); fi
    case $value in
      '') options+=("${name}[$text]") ;;
      *'|'*) options+=("*${name}=[$text]:value:(${value//|/ })") ;;
      DIR*) options+=("*${name}=[$text]:directory:_directories") ;;
      PATH*) options+=("*${name}=[$text]:path:_files") ;;
      NAME*) options+=("*${name}=[$text]:variable:_parameters -g '*export*'") ;;
      *) options+=("*${name}=[$text]:value: ") ;;
    esac
  done
  # Past our own options, to the command.
  while ((at < CURRENT)); do
    case $words[at] in
      --)
        _jail_offset $((at + 1))
        return
        ;;
      -?*) if [[ -n ${valued[(re)$words[at]]} ]]; then ((at++)); fi ;;
      *)
        _jail_offset $at
        return
        ;;
    esac
    ((at++))
  done
  _arguments : $options '1:command: _command_names -e'
}

_jail_hook() {
  local -a verbs options
  local line
  if [[ $CURRENT -gt 2 && $words[2] == bypass ]]; then
    if [[ $words[3] == -- && $CURRENT -gt 3 ]]; then _jail_offset 4; else _jail_offset 3; fi
    return
  fi
  for line in ${(f)"$(command jail-hook completions words ${words[2,CURRENT-1]} 2>/dev/null)"}; do
    case $line in
      '<directory>'*) _directories ;;
      '<command>'*) _command_names -e ;;
      -*) options+=("${${line/:/\\:}/$'\t'/:}") ;;
      *) verbs+=("${${line/:/\\:}/$'\t'/:}") ;;
    esac
  done
  if [[ $#options -gt 0 && $PREFIX == -* ]]; then _describe -o option options -S ''; fi
  if [[ $#verbs -gt 0 ]]; then _describe word verbs; fi
}

_jail() {
  case $service in
    jail) _jail_options ;;
    jail-hook) _jail_hook ;;
  esac
}

# A file of fpath runs as the function of its name; what is evaluated does not.
if [[ $funcstack[1] == _jail ]]; then
  _jail
else
  compdef _jail jail jail-hook
fi
