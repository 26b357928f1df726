package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"jail/internal/needed"
	"jail/internal/textbusy"
)

// mise puts mise on PATH, the real one where this machine has it and a stand-in
// otherwise, and makes it put proj/mbin first on PATH in the project.
func (p place) mise() {
	p.t.Helper()
	tool, err := exec.LookPath("mise")
	if err != nil {
		text, err := os.ReadFile("testdata/together/mise")
		must(p.t, err)
		must(p.t, textbusy.WriteProgram(p.at("bin/mise"), text))
	} else {
		tool, err = filepath.EvalSymlinks(tool)
		must(p.t, err)
		must(p.t, os.Symlink(tool, p.at("bin/mise")))
	}
	must(p.t, os.WriteFile(p.at("proj/mise.toml"), []byte("[env]\n_.path = \"mbin\"\n"), 0o644))
	p.program("proj/mbin/mtool", "mtool")
	p.program("proj/mbin/npm", "npm of the project")
}

// miseEnv keeps mise in this place, and off the network.
func (p place) miseEnv() []string {
	return []string{
		"MISE_TRUSTED_CONFIG_PATHS=" + p.at("proj"), "MISE_DATA_DIR=" + p.at("home/mise"), "MISE_CACHE_DIR=" + p.at("home/mise"),
		"MISE_STATE_DIR=" + p.at("home/mise"), "MISE_OFFLINE=1", "MISE_QUIET=1", "MISE_YES=1", "MISE_NOT_FOUND_AUTO_INSTALL=0",
	}
}

// mise changes PATH at each prompt and on each change of directory, and in bash has a
// cd of its own: the shims are first all the same, at once where it was loaded before us
// and else from the next prompt on.
func TestMise(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		load := map[string]string{"bash": `eval "$(mise activate bash)"`, "zsh": `eval "$(mise activate zsh)"`, "fish": "mise activate fish | source"}[d.name]
		for _, first := range []bool{true, false} {
			p := newPlace(t)
			p.mise()
			init := p.init(d.name)
			lines := []string{init, load, init} // the middle one is what a rc file may have in the wrong order
			if first {
				lines = []string{load, init}
			} else {
				lines = lines[:2]
			}
			same := "cd " + p.at("proj") + "; " + d.where
			lines = append(lines, d.prompt, same, d.prompt, d.where, "touch mise.toml", d.prompt, d.where, "command -v mtool", "cd a", d.where, d.prompt, d.where, "cd "+p.at("out"), d.prompt, d.where, d.path)
			cmd := exec.Command(d.argv[0], append(d.argv[1:], strings.Join(lines, "\n"))...)
			cmd.Dir, cmd.Env = p.dir, p.env(append(p.miseEnv(), "PWD="+p.dir)...)
			out, err := cmd.Output()
			must(t, err)
			got := strings.Split(strings.TrimSpace(string(out)), "\n")
			shim := p.at("jail/shims/npm")
			want := []string{shim, shim, shim, p.at("proj/mbin/mtool"), shim, shim, p.at("bin/npm")}
			if len(got) != len(want)+1 {
				t.Fatalf("mise first %t: %q", first, got)
			}
			for i := range want {
				late := i == 0 || i == 4 // on the line of the change itself
				if got[i] != want[i] && (first || !late) {
					t.Errorf("mise first %t, step %d: %s, want %s", first, i, got[i], want[i])
				}
			}
			if path := got[len(want)]; strings.Contains(path, "/jail/") || strings.Contains(path, "/mbin") {
				t.Errorf("mise first %t: outside PATH is %s", first, path)
			}
		}
	})
}

// The list of functions that mise has bash call on a change of directory is left as it
// was.
func TestMiseUninit(t *testing.T) {
	needed.Program(t, "bash")
	for _, before := range []string{"chpwd_functions=(a b)", "chpwd_functions=([3]=a)", "unset chpwd_functions", "chpwd_functions=a", "declare -ax chpwd_functions=(a)"} {
		p := newPlace(t)
		show := "; declare -p chpwd_functions 2>/dev/null || echo none"
		out, errs, _ := p.script(p.dir, "bash", "--norc", "-c", strings.Join([]string{before + show, p.init("bash"), p.init("bash"), p.uninit("bash") + show}, "\n"))
		lines := strings.Split(out, "\n")
		if len(lines) != 3 || lines[0] != lines[1] || errs != "" {
			t.Errorf("%s: %q, %q", before, lines, errs)
		}
	}
}
