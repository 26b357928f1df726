# Completion of jail and jail-hook for fish. The programs themselves say which words
# there are: jail when this file is read, which is at the first TAB behind its name,
# and jail-hook at each. jail COMMAND is completed as COMMAND is.

# Options of jail that take a value.
set -g __jail_valued

# Prints the words from the command that jail runs to the cursor, if it has been
# typed already.
function __jail_command
    set -l words (commandline -opc)[2..]
    while set -q words[1]
        switch $words[1]
            case --
                set -e words[1]
                break
            case '-*'
                contains -- $words[1] $__jail_valued; and set -e words[1]
            case '*'
                break
        end
        set -e words[1]
    end
    set -q words[1]; and printf '%s\n' $words
end

# Completes a command line that consists of these words and the one at the cursor.
function __jail_complete
    set -l cur (commandline -ct)
    if not set -q argv[1]; and string match -q -- '-*' $cur
        return
    end
    complete -C (string join ' ' -- (string escape -- $argv) $cur)
end

function __jail_hook_words
    set -l typed (commandline -opc)[2..]
    set -l cur (commandline -ct)
    for line in (command jail-hook completions words $typed 2>/dev/null)
        switch $line
            case '<directory>*'
                __fish_complete_directories $cur
            case '<command>*'
                __fish_complete_command
            case '-*'
                string match -q -- '-*' $cur; and printf '%s\n' $line
            case '*'
                printf '%s\n' $line
        end
    end
end

# Prints the words behind bypass; false for another verb.
function __jail_hook_bypass
    set -l words (commandline -opc)[2..]
    test "$words[1]" = bypass
    or return
    set -e words[1]
    test "$words[1]" = --
    and set -e words[1]
    set -q words[1]
    and printf '%s\n' $words
    return 0
end

complete -c jail -e # read twice, by the names of both programs, it adds nothing
complete -c jail -f
for line in (command jail --help 2>/dev/null)
    set -l parts (string match -r '^  (--[a-z-]+)(?: (\S+))? +(.*)$' -- $line)
    or continue
    set -l name (string sub -s 3 -- $parts[2])
    set -l value
    set -l text $parts[-1]
    if test (count $parts) -eq 4
        set value $parts[3]
    end
    switch "$value"
        case ''
            complete -c jail -n 'not __jail_command >/dev/null' -l $name -d $text
            continue
        case '*|*'
            complete -c jail -n 'not __jail_command >/dev/null' -x -l $name -d $text -a (string replace -a '|' ' ' -- $value)
        case 'DIR*'
            complete -c jail -n 'not __jail_command >/dev/null' -x -l $name -d $text -a '(__fish_complete_directories (commandline -ct))'
        case 'PATH*'
            complete -c jail -n 'not __jail_command >/dev/null' -r -F -l $name -d $text
        case 'NAME*'
            complete -c jail -n 'not __jail_command >/dev/null' -x -l $name -d $text -a '(set -nx)'
        case '*'
            complete -c jail -n 'not __jail_command >/dev/null' -x -l $name -d $text
    end
    set -a __jail_valued --$name
end
complete -c jail -x -a '(__jail_complete (__jail_command))'

complete -c jail-hook -e
complete -c jail-hook -f
complete -c jail-hook -n 'not __jail_hook_bypass >/dev/null' -a '(__jail_hook_words)'
complete -c jail-hook -n '__jail_hook_bypass >/dev/null' -x -a '(__jail_complete (__jail_hook_bypass))'
