package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"jail/internal/needed"
	"jail/internal/textbusy"
)

// What somebody has who uses pyenv, nvm, rustup, direnv, zoxide and starship at once:
// real ones where Debian has them, and stand-ins otherwise.
func (p place) together() {
	p.t.Helper()
	needed.Program(p.t, "direnv")
	needed.Program(p.t, "zoxide")
	p.mise()
	must(p.t, os.Remove(p.at("proj/mbin/npm")))
	for _, tool := range []string{"pyenv", "nvm.sh", "starship"} {
		text, err := os.ReadFile("testdata/together/" + tool)
		must(p.t, err)
		must(p.t, textbusy.WriteProgram(p.at("bin/"+tool), text))
	}
	p.venv()
	for path, says := range map[string]string{
		"home/.pyenv/versions/3.12/bin/python3": "python 3.12", "bin/python3": "python of the system",
		"home/.nvm/versions/node/v18/bin/node": "v18", "home/.nvm/versions/node/v20/bin/node": "v20",
		"home/.cargo/bin/cargo": "cargo of rustup", "proj/.venv/bin/pytest": "pytest",
	} {
		p.program(path, says)
	}
	files := map[string]string{
		"home/.pyenv/shims/python3": "#!/bin/sh\nexec pyenv exec python3 \"$@\"\n",
		"home/.cargo/env":           "case \":$PATH:\" in *:\"$HOME/.cargo/bin\":*) ;; *) export PATH=\"$HOME/.cargo/bin:$PATH\" ;; esac\n",
		"home/.cargo/env.fish":      "contains -- $HOME/.cargo/bin $PATH; or set -gx PATH $HOME/.cargo/bin $PATH\n",
		"proj/.envrc":               "export FOO=1\nPATH_add tools\n",
		"proj/.nvmrc":               "20\n",
		"proj/a/.python-version":    "3.12\n",
		"proj/tools/tool":           "#!/bin/sh\necho tool\n",
		"home/setup.sh":             setup,
		"home/setup.fish":           setupFish,
	}
	for path, text := range files {
		must(p.t, os.MkdirAll(filepath.Dir(p.at(path)), 0o755))
		must(p.t, textbusy.WriteProgram(p.at(path), []byte(text)))
	}
	allow := exec.Command("direnv", "allow", p.at("proj/.envrc"))
	allow.Env = p.env(p.homes()...)
	if out, err := allow.CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
}

func (p place) homes() []string {
	return []string{
		"XDG_DATA_HOME=" + p.at("home"), "XDG_CONFIG_HOME=" + p.at("home"), "_ZO_DATA_DIR=" + p.at("home"), "DIRENV_LOG_FORMAT=",
		"MISE_TRUSTED_CONFIG_PATHS=" + p.at("proj"), "MISE_DATA_DIR=" + p.at("home/mise"), "MISE_CACHE_DIR=" + p.at("home/mise"),
		"MISE_STATE_DIR=" + p.at("home/mise"), "MISE_OFFLINE=1", "MISE_QUIET=1",
		"PYENV_ROOT=" + p.at("home/.pyenv"), "NVM_DIR=" + p.at("home/.nvm"), "VIRTUAL_ENV_DISABLE_PROMPT=1",
	}
}

// setup is the start-up file of bash and zsh, $1 the shell's name.
const setup = `
eval "$(pyenv init - $shell)"
. nvm.sh
. "$HOME/.cargo/env"
eval "$(zoxide init $shell)"
eval "$(mise activate $shell)"
eval "$(direnv hook $shell)"
eval "$(starship init $shell)"
`

const setupFish = `
pyenv init - fish | source
source $HOME/.cargo/env.fish
zoxide init fish | source
mise activate fish | source
direnv hook fish | source
starship init fish | source
set -gx PATH $NVM_DIR/versions/node/v18/bin $PATH
`

// days are what one does with all of it. After each line the state is printed, and is
// to be the same with the hook and without it, but for the farms on PATH.
func days() []string {
	return []string{
		":", "cd proj", "python3; cargo; node --version; mtool", "false | true", "(exit 3)", "cd a", "python3", "cd b/c",
		". ../../../.venv/bin/activate", "python3 -c 'import sys; print(sys.prefix)'", "pytest", "cd -", "pushd ../a >/dev/null; popd >/dev/null",
		"pyenv shell 3.12", "nvm use 20", "node --version", "cd $HOME/../out", "python3 --version", "deactivate", "z proj/a", "python3", "node --version",
		"touch ../.envrc", "cd ..", "nvm deactivate", "(sleep 0 &)", "cd ..", "cd nowhere 2>/dev/null", "unset PYENV_VERSION", "echo $?", "z proj; echo $FOO", "cd /", "true",
	}
}

// same is the state of a shell without what the hook is there for.
func (p place) same(text string) string {
	for _, entry := range []string{p.at("jail/roots") + p.at("proj") + "/shims:", p.at("jail/shims") + ":"} {
		text = strings.ReplaceAll(text, entry, "")
	}
	text = regexp.MustCompile(`(?m)^(jail: .*|(DIRENV_(DIFF|WATCHES)|__MISE_[A-Z_]*)=.*|(_|SHLVL|XDG_SESSION_ID|HISTCMD|LINENO|__jail.*|RANDOM)=.*)\r?\n`).ReplaceAllString(text, "")
	return text
}

func TestTogether(t *testing.T) {
	state := `env -u PS1 | sort; alias; trap; echo "options $-"; echo "$PATH"`
	for shell, start := range map[string]func(p place) *session{
		"bash": func(p place) *session { return p.bash(p.dir, p.homes()...) },
		"zsh":  func(p place) *session { return p.zsh(p.dir, p.homes()...) },
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.together()
			p.settings.Names = []string{"npm", "node", "python3", "pip", "cargo"}
			for _, name := range []string{"node", "python3", "cargo", "pytest"} {
				p.passing("jail/shims/" + name)
			}
			p.passing("jail/roots" + p.at("proj") + "/shims/tool")
			p.passing("jail/roots" + p.at("proj") + "/shims/mtool")
			must(t, os.WriteFile(p.at("jail/roots"+p.at("proj")+"/shims/.state"), nil, 0o600))
			hook := p.init(shell)
			seen := map[bool][]string{}
			for _, hooked := range []bool{false, true} {
				s := start(p)
				s.run("shell=" + shell + "; . " + p.at("home/setup.sh"))
				if hooked {
					s.run(hook)
				}
				for i, line := range days() {
					got := p.same(s.run(line))
					if i%3 == 2 { // a prompt with all of this takes long
						got += p.same(s.run(state))
					}
					seen[hooked] = append(seen[hooked], got)
				}
			}
			for i := range seen[false] {
				if seen[false][i] != seen[true][i] {
					t.Fatalf("line %d, %q:\nwithout: %s\nwith:    %s", i, days()[i], seen[false][i], seen[true][i])
				}
			}
			if !strings.Contains(strings.Join(seen[true], ""), "pytest\n") || !strings.Contains(strings.Join(seen[true], ""), "v20") {
				t.Errorf("nothing ran: %q", seen[true])
			}
			p.jailedTogether(start(p), shell, hook)
		})
	}
}

// passing makes a shim that runs the program behind it, as one does outside.
func (p place) passing(path string) {
	p.t.Helper()
	must(p.t, os.MkdirAll(filepath.Dir(p.at(path)), 0o755))
	text := "#!/bin/sh\nname=${0##*/}\necho \"$name\" >>'" + p.at("log") + "'\n" +
		"PATH=$(printf %s \":$PATH:\" | sed 's|:" + p.at("jail") + "[^:]*||g; s|^:||; s|:$||')\nexec \"$name\" \"$@\"\n"
	must(p.t, textbusy.WriteProgram(p.at(path), []byte(text)))
}

// jailedTogether sees that the shims come first all the same, also for what the prompt
// calls.
func (p place) jailedTogether(s *session, shell, hook string) {
	p.t.Helper()
	s.run("shell=" + shell + "; . " + p.at("home/setup.sh"))
	s.run(hook)
	first := "type -P"
	if shell == "zsh" {
		first = "whence -p"
	}
	want := []string{p.at("jail/shims/node"), p.at("jail/shims/python3"), p.at("jail/shims/cargo"), p.at("jail/roots") + p.at("proj") + "/shims/tool", p.at("jail/roots") + p.at("proj") + "/shims/mtool"}
	for _, line := range []string{"cd proj", ". .venv/bin/activate", "nvm use 20", "touch .envrc", "cd a", "deactivate", "z proj"} {
		_ = os.Remove(p.at("log"))
		s.run(line)
		got := strings.Split(s.run("for x in node python3 cargo tool mtool; do "+first+" $x; done"), "\n")
		if !slices.Equal(got[:len(want)], want) {
			p.t.Errorf("%s, then %q", line, got)
		}
		if log, _ := os.ReadFile(p.at("log")); !strings.Contains(string(log), "node") {
			p.t.Errorf("%s: the prompt's node was not the shim", line)
		}
	}
	s.run("cd /")
	if got := s.run(first + " python3"); !strings.HasPrefix(got, p.at("home/.pyenv/shims/python3")) {
		p.t.Errorf("outside, python3 is %q", got)
	}
}

// The same in fish, whose screen is full of escapes: so the state goes to a file.
func TestTogetherInFish(t *testing.T) {
	p := newPlace(t)
	p.together()
	p.passing("jail/shims/node")
	p.passing("jail/shims/python3")
	p.passing("jail/roots" + p.at("proj") + "/shims/tool")
	must(t, os.WriteFile(p.at("jail/roots"+p.at("proj")+"/shims/.state"), nil, 0o600))
	p.settings.Names = []string{"npm", "node", "python3"}
	state := "begin; echo $status; env | sort | string match -v -r '^(DIRENV|__MISE)_'; string join : -- $PATH; functions -n | string match -v '*__jail*'; end >>" + p.at("state")
	lines := []string{
		":", "cd proj", "python3 >>out", "false", "cd a; python3 >>../out", ". ../.venv/bin/activate.fish", "pytest >>../out", "cd ../b", "pyenv shell 3.12",
		"touch ../.envrc", "cd ../../out", "deactivate", "z proj", "node --version >>out", "cd -", "prevd", "cd /",
	}
	load := p.init("fish")
	seen := map[bool]string{}
	for _, hooked := range []bool{false, true} {
		_ = os.Remove(p.at("state"))
		before := "source " + fishQuote(p.at("home/setup.fish"))
		if hooked {
			before += "; " + load
		}
		s := p.fishSession(p.dir, before, append([]string{"env"}, p.homes()...)...)
		for _, line := range lines {
			s.run(line + "; " + state)
		}
		text, err := os.ReadFile(p.at("state"))
		must(t, err)
		out, err := os.ReadFile(p.at("proj/out"))
		must(t, err)
		seen[hooked] = p.same(string(text)) + string(out)
		must(t, os.Remove(p.at("proj/out")))
	}
	if seen[false] != seen[true] {
		must(t, os.WriteFile(p.at("without"), []byte(seen[false]), 0o600))
		must(t, os.WriteFile(p.at("with"), []byte(seen[true]), 0o600))
		diff, _ := exec.Command("diff", p.at("without"), p.at("with")).Output()
		t.Errorf("%s", diff)
	}
	if log, _ := os.ReadFile(p.at("log")); !strings.Contains(string(log), "node") || !strings.Contains(string(log), "python3") {
		t.Errorf("the shims ran: %q", log)
	}
}
