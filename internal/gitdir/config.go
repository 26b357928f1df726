package gitdir

import "strings"

// coreWorktree reads core.worktree out of a configuration of git's. It knows the
// form in which git writes it; what is written in another, the caller's own editing,
// is not found.
func coreWorktree(config string) (path string, set bool) {
	core := false
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] == '[' {
			core = strings.EqualFold(line, "[core]")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if core && ok && strings.EqualFold(strings.TrimSpace(key), "worktree") {
			path, set = unquote(strings.TrimSpace(value)) // the last one counts
		}
	}
	if !set {
		return "", false
	}
	return path, true
}

// unquote takes the quotes from a value that has a blank or a comment's sign in it.
func unquote(v string) (string, bool) {
	inner, quoted := strings.CutPrefix(v, `"`)
	if !quoted {
		return v, v != "" && !strings.ContainsAny(v, `"\#;`)
	}
	inner, ended := strings.CutSuffix(inner, `"`)
	inner = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(inner)
	return inner, ended
}
