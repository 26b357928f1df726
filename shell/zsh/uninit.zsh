# Undoes what jail.zsh did, and leaves nothing of it behind.
__jail_undo() {
  local __jail_path=:${PATH-}: __jail_tail
  typeset -ga precmd_functions chpwd_functions
  precmd_functions=("${(@)precmd_functions:#__jail_prompt}")
  chpwd_functions=("${(@)chpwd_functions:#__jail_move}")
  if ((! ${#precmd_functions})); then unset precmd_functions; fi
  if ((! ${#chpwd_functions})); then unset chpwd_functions; fi
  if ((! ${+PATH})) || [[ ${(t)PATH} == *readonly* ]]; then return 0; fi
  while [[ $__jail_path == *":$__jail_farm:"* ]]; do
    __jail_path=${__jail_path/":$__jail_farm:"/:}
  done
  while [[ $__jail_path == *":$__jail_roots/"* ]]; do
    __jail_tail=${__jail_path#*":$__jail_roots/"}
    __jail_path=${__jail_path%%":$__jail_roots/"*}:${__jail_tail#*:}
  done
  __jail_path=${__jail_path#:}
  PATH=${__jail_path%:}
}

__jail_undo
unset -f __jail_undo
for __jail_each in ${__jail_made-}; do
  if [[ "$(typeset -f -- $__jail_each)" == *__jail_root* ]]; then unset -f -- $__jail_each; fi
done
for __jail_each in __jail_prompt __jail_move __jail_arrange __jail_changed __jail_recall __jail_look __jail_read __jail_broken __jail_bar __jail_strip __jail_settle __jail_survey __jail_search __jail_behind __jail_renew __jail_say; do
  unset -f $__jail_each 2>/dev/null || :
done
unset __jail_each __jail_farm __jail_roots __jail_list __jail_launcher __jail_hook __jail_probe __jail_names __jail_strict __jail_always __jail_cd
unset __jail_root __jail_settled __jail_moving __jail_shown __jail_checked __jail_made __jail_within __jail_known __jail_below __jail_order
unset __jail_copy __jail_twin __jail_seen __jail_level __jail_claimed __jail_own __jail_over __jail_surveyed __jail_sure __jail_stale
