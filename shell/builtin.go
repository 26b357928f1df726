package shell

import "slices"

// isBuiltin reports whether a shell has a builtin or a keyword of that name.
func isBuiltin(name string) bool {
	_, found := slices.BinarySearch(builtins(), name)
	return found
}

// builtins are the builtins and keywords of bash, zsh and fish that can be the name
// of a program, sorted.
func builtins() []string {
	return []string{
		".", "_", "abbr", "alias", "and", "argparse", "autoload", "begin", "bg", "bind", "bindkey", "block",
		"break", "breakpoint", "builtin", "bye", "caller", "case", "cd", "chdir", "command", "commandline",
		"compadd", "comparguments", "compcall", "compctl", "compdescribe", "compfiles", "compgen", "compgroups",
		"complete", "compopt", "compquote", "compset", "comptags", "comptry", "compvalues", "contains", "continue",
		"coproc", "count", "declare", "dirs", "disable", "disown", "do", "done", "echo", "echotc", "echoti",
		"elif", "else", "emit", "emulate", "enable", "end", "esac", "eval", "exec", "exit", "export", "false",
		"fc", "fg", "fi", "fish_indent", "fish_key_reader", "float", "for", "foreach", "function", "functions",
		"getln", "getopts", "hash", "help", "history", "if", "in", "integer", "jobs", "kill", "let", "limit",
		"local", "log", "logout", "mapfile", "math", "nocorrect", "noglob", "not", "or", "path", "popd", "print",
		"printf", "private", "pushd", "pushln", "pwd", "r", "random", "read", "readarray", "readonly", "realpath",
		"rehash", "repeat", "return", "sched", "select", "set", "set_color", "setopt", "shift", "shopt", "source",
		"stat", "status", "strftime", "string", "suspend", "switch", "syserror", "sysopen", "sysread", "sysseek",
		"syswrite", "test", "then", "time", "times", "trap", "true", "ttyctl", "type", "typeset", "ulimit",
		"umask", "unalias", "unfunction", "unhash", "unlimit", "unset", "unsetopt", "until", "vared", "wait",
		"whence", "where", "which", "while", "zcompile", "zcurses", "zf_chgrp", "zf_chmod", "zf_chown", "zf_ln",
		"zf_mkdir", "zf_mv", "zf_rm", "zf_rmdir", "zf_sync", "zformat", "zftp", "zle", "zmodload", "zparseopts",
		"zprof", "zpty", "zregexparse", "zselect", "zsocket", "zstat", "zstyle", "zsystem", "ztcp",
	}
}
