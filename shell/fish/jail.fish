# The hook of jail for fish: keeps the farms of shims first on PATH in a project
# and off it elsewhere. bash/jail.bash says how it works and why; this is the same
# with fish's means. A command substitution of builtins does not fork in fish.

# A command substitution costs more in fish than all the rest, so there is none at a
# prompt where nothing has changed.

# Sets __jail_root to the nearest directory at or above the working directory that
# is a project, or to nothing. A project is what holds a marker, a root that is
# known, or what lies directly below a jail_below of the user's.
function __jail_find
    set -l linked
    # The list of known roots has a second name for each of its states.
    test $__jail_list -ef "$__jail_twin" 2>/dev/null; or __jail_read
    # By the path that the shell shows. Which directories lie above it, and which of
    # them is known, is a matter of text alone, and so can be kept as long as that is
    # the same.
    if test "$PWD" != "$__jail_pwd"
        set -g __jail_pwd $PWD
        set -g __jail_above $PWD
        set -g __jail_level none
        set -l dir $PWD
        while string match -q '*/*' -- "$dir"
            # A marker that leads to nothing is too rare to be looked for at each prompt.
            if test $__jail_level = none
                __jail_knows "$dir"; or test -L "$dir/.ai-jail" -a ! -e "$dir/.ai-jail"; and set -g __jail_level $dir
            end
            set dir (string replace -r '(?s)/[^/]*\z' '' -- $dir | string collect)
            set -a __jail_above "$dir"
        end
    end
    for dir in $__jail_above
        if test -d "$dir/.ai-jail" -o "$dir" = $__jail_level
            set -g __jail_root $dir
            test -n "$dir"; or set -g __jail_root /
            return 0
        end
        test -L "$dir"; and set linked 1
    end
    set -g __jail_root
    # By the path on disk where that is another: ., ./.., ./../.. and so on, once for
    # each slash in it.
    test -z "$linked"; and test . -ef "$PWD" 2>/dev/null; and return 0
    set -l here (builtin pwd -P 2>/dev/null | string collect)
    set -l up .
    for slash in (string match -ra / -- $here)
        if test -d $up/.ai-jail -o -L $up/.ai-jail -a ! -e $up/.ai-jail; or __jail_knows $here
            set -g __jail_root $here
            return 0
        end
        set here (string replace -r '(?s)/[^/]*\z' '' -- $here | string collect)
        set up $up/..
    end
    return 0
end

# Reads the list of known roots where it is another one than the copy.
function __jail_read
    set -l serial
    test -r $__jail_list; and read serial <$__jail_list
    test "$serial" = "$__jail_serial"; and return 0
    set -g __jail_serial
    set -g __jail_twin
    set -g __jail_known
    set -e __jail_pwd
    set -g __jail_settled
    set -g __jail_surveyed none
    set -l text
    test -r $__jail_list; and read -z text <$__jail_list
    string match -q 'jail roots 1 *' -- "$text"; or return 0
    set -g __jail_known (string split \n -- $text)
    set -g __jail_serial $__jail_known[1]
    set -g __jail_twin $__jail_list.(string replace -r '.* ' '' -- $__jail_serial)
    return 0
end

# Reports whether the list names the directory, or has a rule for the one above it. It
# writes a backslash and a newline as \\ and \n.
function __jail_knows
    set -q __jail_known[2]; or return 1
    set -l key (string replace -a '\\' '\\\\' -- $argv[1] | string join '\\n')
    set -l above (string replace -r '/[^/]*$' '' -- $key)
    contains -- "root $key" $__jail_known; or contains -- "below $above" $__jail_known
end

# Puts the farms first in a project, or takes them out: every occurrence of our
# own entries, and never another one. At once on a change of directory, and on a
# change of PATH: an environment that is activated on one line with an install is
# put behind the shims before the install.
function __jail_refresh --on-variable PWD --on-variable PATH
    # Setting PATH comes here again.
    set -q __jail_busy; and return 0
    set -g __jail_busy 1
    __jail_find
    # A root's own farm lies at its path on disk. It may appear at any moment, by a
    # command that runs in the background, so it is on PATH before it exists. What
    # has a colon cannot be there.
    if test "$__jail_root" != "$__jail_claimed"
        set -g __jail_claimed $__jail_root
        set -g __jail_own
        if test -n "$__jail_root"
            set -l own $__jail_roots(builtin realpath -- $__jail_root 2>/dev/null | string collect)/shims
            string match -q '*:*' -- $own; or set -g __jail_own $own
        end
    end
    # What follows depends on nothing but these. A root's own farm is on PATH as long as
    # a directory of its project is, wherever one goes.
    if test "$__jail_root $__jail_own $PATH" != "$__jail_settled"
        # The prompt says so; what stands on this line behind cd is not to run without a
        # jail.
        test -n "$__jail_root"; and not test -x $__jail_farm/$__jail_probe; and __jail_bar
        set -l rest
        for entry in $PATH
            test "$entry" = "$__jail_farm"; or string match -qr -- $__jail_ours $entry; or set -a rest $entry
        end
        # With a root that is another, a directory of PATH may lie in a project that was
        # none.
        test "$__jail_root:$rest" = "$__jail_surveyed"; or __jail_survey $rest
        set -l kept $__jail_own
        for farm in $__jail_over
            contains -- $farm $kept; or set -a kept $farm
        end
        test -n "$__jail_root$__jail_always"; and set -a kept $__jail_farm
        set -a kept $rest
        # Only where it differs: others listen to PATH too.
        set -l was $PATH
        test "$kept" = "$was"; or set -gx PATH $kept
        set -g __jail_settled "$__jail_root $__jail_own $PATH"
    end
    set -e __jail_busy
    return 0
end

# Finds the directories of PATH that lie in a project, be it this one or one that was
# left with its environment active: __jail_within, and beside each of them in
# __jail_over the farm that has to come before it.
function __jail_survey
    set -g __jail_surveyed "$__jail_root:$argv"
    set -g __jail_within
    set -g __jail_over
    for entry in $argv
        set -l dir $entry
        while string match -q '/*' -- "$dir"
            if test -d "$dir/.ai-jail" -o -L "$dir/.ai-jail" -a ! -e "$dir/.ai-jail"; or __jail_knows "$dir"
                set -l farm $__jail_roots(builtin realpath -- $dir 2>/dev/null | string collect)/shims
                if not string match -q '*:*' -- $farm
                    set -a __jail_within $entry
                    set -a __jail_over $farm
                end
                break
            end
            set dir (string replace -r '(?s)/[^/]*\z' '' -- $dir | string collect)
        end
    end
    return 0
end

# Says when commands in a project run without a jail although the hook is there.
function __jail_check
    if not contains -- $__jail_farm $PATH; or not test -x $__jail_farm/$__jail_probe
        echo "jail: the shims in "(string escape -- $__jail_farm)" cannot be run, commands here are not jailed" >&2
        echo 'jail: hint: jail-hook init fish | source' >&2
        __jail_bar
        return 0
    end
    # The rest only when it may have become otherwise: it looks through all of PATH.
    test "$__jail_root $PATH" = "$__jail_checked"; or __jail_search
    return 0
end

# Where the shims are not found, or cannot be run, a function for each name asks for its
# shim by path, and where there is none says so and runs nothing. Each stands alone.
function __jail_bar
    for name in $__jail_names
        functions -q $name; or not command -sq $name; and continue
        eval "function $name
            if test -z \"\$__jail_root\"
                command $name \$argv
            else if test -x \"\$__jail_farm/$name\"
                \$__jail_farm/$name \$argv
            else if test -x \"\$__jail_farm/\$__jail_probe\"
                command $name \$argv
            else
                echo \"jail: $name is not run without a jail, and the shims in \"(string escape -- \$__jail_farm)\" cannot be run\" >&2
                echo 'jail: hint: jail-hook init fish | source' >&2
                return 126
            end
        end"
        set -a __jail_made $name
    end
    return 0
end

# Says which names have no shim.
function __jail_search
    set -g __jail_checked "$__jail_root $PATH"
    set -l bare
    for name in $__jail_names
        if not test -x $__jail_farm/$name; and not test -x "$__jail_own/$name"; and command -sq $name
            set -a bare $name
        end
    end
    if set -q bare[1]
        echo "jail: without a shim, so not jailed here: $bare" >&2
        echo 'jail: hint: jail-hook shims refresh' >&2
    end
    return 0
end

# Sets __jail_new to a directory of PATH in a project whose programs may have no shims:
# one that has changed since, and with an argument also one that its farm does not
# know. A jailed command leaves none behind, but git and the user may.
function __jail_behind
    set -g __jail_new
    set -l at 0
    for dir in $__jail_within
        set at (math $at + 1)
        set -l state $__jail_over[$at]/.state
        test -d $dir; or continue
        if not test $dir -nt $state
            test -n "$argv"; or continue
            set -l text
            test -r $state; and read -z text <$state
            contains -- "\"$dir\"" (string split \n -- $text); and continue
        end
        set -g __jail_new $dir
    end
    return 0
end

# Brings the farms of roots up to date where they lag behind. This is the one program
# that the hook ever starts.
function __jail_renew
    set -l first
    test "$__jail_sure" = "$__jail_surveyed"; or set first 1
    set -g __jail_sure $__jail_surveyed
    __jail_behind $first
    test "$__jail_new" = "$__jail_stale"; and return 0
    if test -n "$__jail_new" -a -x "$__jail_hook"
        $__jail_hook shims refresh </dev/null >/dev/null 2>&1; and __jail_behind
    end
    set -g __jail_stale $__jail_new
    test -n "$__jail_new"; or return 0
    echo "jail: "(string escape -- $__jail_new)" has changed, so programs in it may run without a jail" >&2
    echo 'jail: hint: jail-hook shims refresh' >&2
    return 0
end

# Runs at every prompt. One line when the root is another than at the last one.
function __jail_prompt --on-event fish_prompt
    set -e __jail_busy # of a run that Ctrl-C ended
    __jail_refresh
    set -q __jail_within[1]; and __jail_renew
    test -n "$__jail_root"; and __jail_check
    test "$__jail_root" = "$__jail_shown"; and return 0
    set -l was $__jail_shown
    set -g __jail_shown $__jail_root
    status is-interactive; and isatty stderr; or return 0
    set -l dim \e'[2m'
    set -l normal \e'[m'
    if set -q NO_COLOR[1]; and test -n "$NO_COLOR"; or test "$TERM" = dumb
        set dim ''
        set normal ''
    end
    # No control character gets through string escape.
    if test -n "$__jail_root"
        set -l name (string replace -r '(?s)\A.*/(?=.)' '' -- $__jail_root | string collect)
        echo $dim"jail: on ("(string escape -- $name)")"$normal >&2
        return 0
    end
    # What is left of an environment that is still active is jailed as before.
    set -l left (string match -r -- '^'(string escape --style=regex -- $was | string collect)'/.*' $PATH)
    if set -q left[1]
        echo $dim"jail: off, with "(string escape -- $left[1])" still on PATH"$normal >&2
    else
        echo $dim"jail: off"$normal >&2
    end
    return 0
end

# Functions for the names, where the user wants them. Each stands alone.
function __jail_harden
    for name in $__jail_made
        functions -q $name; and string match -q '*__jail_root*' -- (functions $name | string collect); and functions -e $name
    end
    set -g __jail_made
    set -l jail (string escape -- $__jail_launcher)
    for name in $__jail_strict
        functions -q $name; and continue
        eval "function $name
            if test -n \"\$__jail_root\" -a -x $jail
                $jail $name \$argv
            else
                command $name \$argv
            end
        end"
        set -a __jail_made $name
    end
end

# Takes out what was put on PATH when the hook was loaded with other directories.
function __jail_replace
    set -l ours '^'(string escape --style=regex -- $__jail_was[2] | string collect)/
    set -l kept
    for entry in $PATH
        test "$entry" = "$__jail_was[1]"; or string match -qr -- $ours $entry; or set -a kept $entry
    end
    test (count $kept) -eq (count $PATH); or set -gx PATH $kept
    return 0
end

set -g __jail_busy 1
set -q __jail_was[2]; and test "$__jail_was[1]" != "$__jail_farm"; and __jail_replace
__jail_harden
functions -e __jail_harden __jail_replace
set -e __jail_was
set -e __jail_strict
set -e __jail_launcher
set -e __jail_busy
set -e __jail_pwd
set -e __jail_claimed
set -g __jail_settled ''
set -g __jail_checked ''
set -g __jail_serial none
set -g __jail_stale
set -g __jail_new
set -g __jail_sure
set -g __jail_surveyed none
set -g __jail_within
set -g __jail_over
set -g __jail_ours '^'(string escape --style=regex -- $__jail_roots | string collect)/
__jail_refresh
set -g __jail_shown $__jail_root
