package doctor

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"jail/internal/sandbox/plan"
)

// An initLine is where a start-up file loads the hook.
type initLine struct {
	file File
	line int // from 1
	text string
}

// hookLine finds the first line that loads the hook.
func (f *Facts) hookLine() (initLine, bool) {
	for _, file := range f.Startup {
		n := 0
		for text := range strings.Lines(file.Text) {
			n++
			if loads(text) {
				return initLine{file, n, strings.TrimSpace(text)}, true
			}
		}
	}
	return initLine{}, false
}

// loads reports whether a line of a start-up file loads the hook.
func loads(text string) bool {
	text = strings.TrimSpace(text)
	return !strings.HasPrefix(text, "#") && strings.Contains(text, "jail-hook") && strings.Contains(text, " init ")
}

// initCode is the line that loads the hook into a shell.
func initCode(shell string) string {
	if shell == "fish" {
		return "jail-hook init fish | source"
	}
	return `eval "$(jail-hook init ` + shell + `)"`
}

// always reports whether a line keeps the shims on PATH for good.
func always(line string) bool { return strings.Contains(line, "--always") }

// alwaysCode is code that loads the hook, with that option.
func alwaysCode(code string) string {
	for _, shell := range []string{"bash", "fish", "zsh"} {
		code = strings.Replace(code, " init "+shell, " init "+shell+" --always", 1)
	}
	return code
}

// hook looks at the start-up files, and at whether the hook is at work.
func hook(f *Facts) []Finding {
	if f.Shell == "" || len(f.Startup) == 0 {
		return nil
	}
	at, ok := f.hookLine()
	if !ok {
		file := f.Startup[0].Path
		return []Finding{{
			"hook-missing", Wrong,
			fmt.Sprintf("no start-up file of %s loads the hook, so a new shell jails nothing", f.Shell),
			fmt.Sprintf("echo '%s' >>%s", initCode(f.Shell), plan.Word(file)),
		}}
	}
	found := overruled(f, at)
	if f.Project != nil && !f.Farm.First {
		found = append(found, Finding{
			"hook-idle", Wrong,
			"the shims are not first on PATH here, so what this shell starts is not jailed", initCode(f.Shell),
		})
	}
	return found
}

// A rival is a line of a start-up file that must not come after ours.
type rival struct {
	pattern string
	wrong   bool // it takes the hook out; otherwise it may only get in its way
	what    string
}

// rivals are looked for in the rest of the file that loads the hook. They are
// compiled where they are needed: a package variable would cost every start.
func rivals(shell string) []rival {
	all := []rival{
		{`^\s*(export\s+)?PATH=`, false, "changes PATH"},
		{`\b(direnv hook|mise activate|pyenv init|rbenv init|nodenv init|fnm env|conda shell|brew shellenv)\b`, false, "changes PATH"},
	}
	switch shell {
	case "bash":
		return append([]rival{
			{`^\s*(export\s+)?PROMPT_COMMAND=`, true, "replaces PROMPT_COMMAND, in which the hook runs"},
			{`^\s*unset\s.*\bPROMPT_COMMAND\b`, true, "removes PROMPT_COMMAND, in which the hook runs"},
			{`^\s*(function\s+)?cd\s*\(\)|^\s*alias\s+cd=|zoxide init.*--cmd[ =]cd`, false, "replaces cd, so that only the next prompt switches the jail"},
		}, all...)
	case "zsh":
		return append([]rival{
			{`^\s*(typeset\s+\S+\s+)?precmd_functions=\(`, true, "replaces precmd_functions, in which the hook runs"},
			{`^\s*(typeset\s+\S+\s+)?chpwd_functions=\(`, true, "replaces chpwd_functions, in which the hook runs"},
		}, all...)
	}
	return nil // fish has events, which nothing takes away by accident
}

// overruled looks for lines after ours that get in its way.
func overruled(f *Facts, at initLine) (found []Finding) {
	fix := fmt.Sprintf("sed -i --follow-symlinks %dd %[2]s && printf '%%s\\n' %[3]s >>%[2]s", at.line, plan.Word(at.file.Path), plan.Word(at.text))
	lines := strings.Split(at.file.Text, "\n")
	for _, r := range rivals(f.Shell) {
		pattern := regexp.MustCompile(r.pattern)
		for i, text := range lines[at.line:] {
			if !pattern.MatchString(text) || strings.HasPrefix(strings.TrimSpace(text), "#") || strings.Contains(text, "PROMPT_COMMAND=\"$PROMPT_COMMAND") {
				continue
			}
			id, level := "hook-not-last", Note
			if r.wrong {
				id, level = "hook-overruled", Wrong
			}
			line := strconv.Itoa(at.line + i + 1)
			found = append(found, Finding{id, level, at.file.Path + ":" + line + ": comes after the hook and " + r.what, fix})
			break
		}
	}
	return found
}

// login looks at what a login bash reads: its own file, and not ~/.bashrc.
func login(f *Facts) (found []Finding) {
	at, ok := f.hookLine()
	if !ok && len(f.Startup) > 0 {
		at.file = f.Startup[0] // where it will be
	}
	if f.Shell == "bash" && len(f.Login) > 0 {
		file := f.Login[0]
		for _, l := range f.Login {
			if l.Exists {
				file = l
				break
			}
		}
		if !strings.Contains(file.Text, "bashrc") && !containsLoad(file.Text) && at.file.Path != file.Path {
			found = append(found, Finding{
				"login-bare", Wrong,
				fmt.Sprintf("a login shell (ssh, tmux, a console) reads %s, which loads neither ~/.bashrc nor the hook", file.Path),
				fmt.Sprintf("echo '[ -r ~/.bashrc ] && . ~/.bashrc' >>%s", plan.Word(file.Path)),
			})
		}
	}
	if f.Shell == "bash" && resets(f.Profile.Text) {
		found = append(found, Finding{
			"login-path", Note,
			f.Profile.Path + " sets PATH anew: a login shell that shows no prompt, as in `bash -lc npm`, finds no shims",
			fmt.Sprintf(`printf 'PATH=%%q:$PATH\n' %s >>~/.profile`, plan.Word(f.Farm.Dir)),
		})
	}
	return found
}

func containsLoad(text string) bool {
	for line := range strings.Lines(text) {
		if loads(line) {
			return true
		}
	}
	return false
}

// resets reports whether a profile gives PATH a value in which the old one is not.
func resets(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if value, ok := strings.CutPrefix(line, "PATH="); ok && !strings.Contains(value, "$PATH") && !strings.Contains(value, "${PATH") {
			return true
		}
	}
	return false
}
