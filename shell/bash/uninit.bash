# shellcheck shell=bash
# shellcheck disable=SC2154 # the settings come first, in one line of assignments
# Undoes what jail.bash did, wherever others have moved it meanwhile, and leaves
# nothing of it behind.
function __jail_undo {
  local __jail_each __jail_path
  # starship and VS Code run the old PROMPT_COMMAND from variables of their own.
  for __jail_each in PROMPT_COMMAND STARSHIP_PROMPT_COMMAND __vsc_original_prompt_command; do
    __jail_take "$__jail_each"
  done
  for __jail_each in cd pushd popd ${__jail_made[@]+"${__jail_made[@]}"}; do
    if builtin declare -F "$__jail_each" >/dev/null && __jail_ours "$__jail_each"; then
      builtin unset -f "$__jail_each"
    fi
  done
  __jail_leave
  if [[ -z ${PATH+set} ]]; then return 0; fi
  __jail_strip
  builtin printf -v PATH %s "$__jail_path" 2>/dev/null || return 0
}

__jail_undo
builtin unset -f __jail_undo __jail_take __jail_leave __jail_ours __jail_strip \
  __jail_read __jail_find __jail_recall __jail_look __jail_same __jail_claim __jail_survey __jail_settle __jail_refresh __jail_bar __jail_check __jail_search __jail_behind __jail_renew __jail_say __jail_prompt
builtin unset __jail_entry __jail_run __jail_farm __jail_roots __jail_list __jail_always __jail_cd __jail_probe __jail_names \
  __jail_strict __jail_launcher __jail_hook __jail_ready __jail_made __jail_known __jail_serial __jail_twin __jail_looked __jail_seen __jail_above __jail_depth __jail_level __jail_there __jail_claimed \
  __jail_own __jail_within __jail_over __jail_surveyed __jail_sure __jail_stale __jail_root __jail_name __jail_shown __jail_settled __jail_checked
# One command, read before aliases count again.
case $__jail_aliases in
1) builtin unset __jail_aliases && builtin shopt -s expand_aliases ;;
*) builtin unset __jail_aliases ;;
esac
