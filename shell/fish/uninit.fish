# Undoes what jail.fish did, and leaves nothing of it behind.
functions -e __jail_prompt __jail_refresh __jail_find __jail_read __jail_knows __jail_survey __jail_bar __jail_check __jail_search __jail_behind __jail_renew
function __jail_undo
    set -l ours '^'(string escape --style=regex -- $__jail_roots | string collect)/
    set -l kept
    for entry in $PATH
        test "$entry" = "$__jail_farm"; or string match -qr -- $ours $entry; or set -a kept $entry
    end
    # Setting it says that PATH has changed, which others may listen to.
    test (count $kept) -eq (count $PATH); or set -gx PATH $kept
    for name in $__jail_made
        functions -q $name; and string match -q '*__jail_root*' -- (functions $name | string collect); and functions -e $name
    end
    for name in farm roots list launcher hook ours probe names strict made always root pwd above level known serial twin own \
        claimed within over surveyed sure new stale settled shown checked busy
        set -eg __jail_$name
    end
    return 0
end
__jail_undo
functions -e __jail_undo
