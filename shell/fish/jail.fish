# The hook of jail for fish: keeps the farms of shims first on PATH in a project
# and off it elsewhere. bash/jail.bash says how it works and why; this is the same
# with fish's means. Nothing here starts a process: a command substitution of
# builtins does not fork in fish.

# A command substitution costs more in fish than all the rest, so there is none at a
# prompt where nothing has changed.

# Sets __jail_root to the nearest directory at or above the working directory that
# holds a marker, or to nothing.
function __jail_find
    set -l linked
    # By the path that the shell shows. Which directories lie above it is a matter of
    # its text alone, and so can be kept as long as that is the same.
    if test "$PWD" != "$__jail_pwd"
        set -g __jail_pwd $PWD
        set -g __jail_above $PWD
        set -l dir $PWD
        while string match -q '*/*' -- "$dir"
            set dir (string replace -r '(?s)/[^/]*\z' '' -- $dir | string collect)
            set -a __jail_above "$dir"
        end
    end
    for dir in $__jail_above
        if test -d "$dir/.ai-jail"
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
        if test -d $up/.ai-jail
            # Up as many names as there are dots.
            for dots in (string match -ra '\.\.' -- $up)
                set here (string replace -r '(?s)/[^/]*\z' '' -- $here | string collect)
            end
            set -g __jail_root $here
            return 0
        end
        set up $up/..
    end
    return 0
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
    set -l own
    # A root's own farm lies at the root's path; one with a colon cannot be on PATH.
    if test -n "$__jail_root" -a -d "$__jail_roots$__jail_root/shims"; and not string match -q '*:*' -- $__jail_root
        set own $__jail_roots$__jail_root/shims
    end
    # What follows depends on nothing but these.
    if test "$__jail_root $own $PATH" != "$__jail_settled"
        set -l kept $own $__jail_farm
        test -n "$__jail_root$__jail_always"; or set kept
        for entry in $PATH
            test "$entry" = "$__jail_farm"; or string match -qr -- $__jail_ours $entry; or set -a kept $entry
        end
        # Only where it differs: others listen to PATH too.
        set -l was $PATH
        test "$kept" = "$was"; or set -gx PATH $kept
        set -g __jail_settled "$__jail_root $own $PATH"
    end
    set -e __jail_busy
    return 0
end

# Says when commands in a project run without a jail although the hook is there.
function __jail_check
    if not contains -- $__jail_farm $PATH; or not test -x $__jail_farm/$__jail_probe
        echo "jail: the shims in "(string escape -- $__jail_farm)" cannot be run, commands here are not jailed" >&2
        echo 'jail: hint: jail-hook init fish | source' >&2
        return 0
    end
    # The rest only when it may have become otherwise: it looks through all of PATH.
    test "$__jail_root $PATH" = "$__jail_checked"; and return 0
    set -g __jail_checked "$__jail_root $PATH"
    set -l bare
    for name in $__jail_names
        if not test -x $__jail_farm/$name; and not test -x $__jail_roots$__jail_root/shims/$name; and command -sq $name
            set -a bare $name
        end
    end
    if set -q bare[1]
        echo "jail: without a shim, so not jailed here: $bare" >&2
        echo 'jail: hint: jail-hook shims refresh' >&2
    end
    return 0
end

# Runs at every prompt. One line when the root is another than at the last one.
function __jail_prompt --on-event fish_prompt
    set -e __jail_busy # of a run that Ctrl-C ended
    __jail_refresh
    test -n "$__jail_root"; and __jail_check
    test "$__jail_root" = "$__jail_shown"; and return 0
    set -g __jail_shown $__jail_root
    status is-interactive; and isatty stderr; or return 0
    set -l dim \e'[2m'
    set -l normal \e'[m'
    if set -q NO_COLOR[1]; and test -n "$NO_COLOR"; or test "$TERM" = dumb
        set dim ''
        set normal ''
    end
    if test -z "$__jail_root"
        echo $dim"jail: off"$normal >&2
    else
        set -l name (string replace -r '(?s)\A.*/(?=.)' '' -- $__jail_root | string collect)
        # No control character gets through.
        echo $dim"jail: on ("(string escape -- $name)")"$normal >&2
    end
    return 0
end

set -e __jail_busy
set -e __jail_pwd
set -g __jail_settled ''
set -g __jail_checked ''
set -g __jail_ours '^'(string escape --style=regex -- $__jail_roots | string collect)/
__jail_refresh
set -g __jail_shown $__jail_root
