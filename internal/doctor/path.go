package doctor

import (
	"fmt"
	"strings"

	"jail/internal/sandbox/plan"
)

// path looks at the entries of PATH.
func path(f *Facts) (found []Finding) {
	var kept, relative []string
	for _, entry := range strings.Split(f.Path, ":") {
		if strings.HasPrefix(entry, "/") {
			kept = append(kept, entry)
		} else if entry == "" {
			relative = append(relative, `"" (the working directory)`)
		} else {
			relative = append(relative, fmt.Sprintf("%q", entry))
		}
	}
	if len(relative) > 0 && f.Path != "" {
		found = append(found, Finding{
			"path-relative", Wrong,
			"PATH has relative entries, where every project can plant a git or an ls that your prompt then runs: " + some(relative),
			setPath(f.Shell, kept),
		})
	}
	if len(f.Farm.Spelling) > 0 {
		found = append(found, Finding{
			"path-spelling", Note,
			"PATH has the shims by other names too, which the hook does not take out: " + some(f.Farm.Spelling),
			setPath(f.Shell, without(kept, f.Farm.Spelling)),
		})
	}
	if f.Sudo {
		found = append(found, sudo(f.Sudoers)...)
	}
	return found
}

func setPath(shell string, entries []string) string {
	if shell == "fish" {
		words := make([]string, len(entries))
		for i, e := range entries {
			words[i] = plan.Word(e)
		}
		return "set -gx PATH " + strings.Join(words, " ")
	}
	return "export PATH=" + plan.Word(strings.Join(entries, ":"))
}

func without(list, drop []string) (kept []string) {
	for _, entry := range list {
		if !has(drop, entry) {
			kept = append(kept, entry)
		}
	}
	return kept
}

func has(list []string, word string) bool {
	for _, l := range list {
		if l == word {
			return true
		}
	}
	return false
}

// sudo says what it does to PATH. Its file is closed to everybody but root, and
// every distribution sets secure_path.
func sudo(sudoers File) []Finding {
	if sudoers.Exists && !strings.Contains(sudoers.Text, "secure_path") {
		return nil
	}
	return []Finding{{
		"sudo-path", Note,
		"sudo sets PATH anew (secure_path), so `sudo npm` finds no shim and runs as root without a jail", "jail npm install # without sudo",
	}}
}
