package shell

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"jail/internal/needed"
)

// The shells' own tools have nothing to say, neither of the files nor of what is
// printed.
func TestLint(t *testing.T) {
	p := newPlace(t)
	for _, tool := range []struct {
		shell, extension string
		argv             []string
		files            []string // of the tree; none where the tool cannot read the printed code's parts
		printed          bool
	}{
		{"bash", "bash", []string{"shellcheck", "-s", "bash"}, []string{"bash/detach.bash", "bash/jail.bash", "bash/uninit.bash", "bash/completion.bash"}, true},
		{"bash", "bash", []string{"bash", "-n"}, nil, true},
		{"zsh", "zsh", []string{"zsh", "-n"}, []string{"zsh/jail.zsh", "zsh/uninit.zsh", "zsh/completion.zsh"}, true},
		{"fish", "fish", []string{"fish", "--no-execute"}, nil, true},
		{"fish", "fish", []string{"fish_indent", "--check"}, []string{"fish/jail.fish", "fish/uninit.fish", "fish/completion.fish"}, false},
	} {
		t.Run(strings.Join(tool.argv, " "), func(t *testing.T) {
			needed.Program(t, tool.argv[0])
			files := tool.files
			if _, err := os.Stat("bash/jail.bash"); err != nil {
				files = nil // the test was built elsewhere, and the tree is not here
			}
			if tool.printed {
				p.init(tool.extension)
				p.uninit(tool.extension)
				files = append(files, p.at("init."+tool.extension), p.at("uninit."+tool.extension))
			}
			for _, file := range files {
				cmd := exec.Command(tool.argv[0], append(tool.argv[1:], file)...)
				cmd.Env = append(os.Environ(), "HOME="+p.at("home"))
				if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
					t.Errorf("%s: %v\n%s", file, err, out)
				}
			}
		})
	}
}
