package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sys/unix"

	"jail/internal/detect"
	"jail/internal/roots"
	"jail/internal/sandbox/plan"
	"jail/internal/shim"
	"jail/internal/trust"
)

// create makes the working directory a project: .ai-jail/ with a configuration of
// comments, which is trusted at birth since it says nothing.
func (u *user) create(c *cli.Context) error {
	if _, err := words(c, 0, 0); err != nil {
		return err
	}
	if shim.InsideJail() {
		return jailed("where nothing becomes a project")
	}
	root, err := detect.ByHand(u.physical, u.get("PWD"), u.homes)
	if err != nil {
		return err
	}
	text, wished := template(root.Path), c.String("from-trace")
	if wished != "" {
		wishes, err := u.wishes(wished, root.Path)
		if err != nil {
			return err
		}
		text += wishes
	}
	file, err := writeNew(root.Path, text)
	if err != nil {
		return err
	}
	// A command's wishes are nobody's consent, not even as comments.
	if wished == "" {
		if err := u.consents().Allow(root.Path, []trust.File{{Name: "config.toml", Data: []byte(text)}}); err != nil {
			return err
		}
	}
	_ = roots.Add(u.data(), root.Path, root.As) // as the first jailed command would
	fmt.Fprintf(u.stdout, "%s\n", oneLine(file))
	return u.follow(root.Path)
}

// writeNew makes the marker in root, with a configuration where there is none, and returns
// that one's path.
func writeNew(root, text string) (file string, err error) {
	marker := filepath.Join(root, ".ai-jail")
	if err := os.Mkdir(marker, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return "", fmt.Errorf("make the project: %w", err)
	}
	if s, err := detect.Stat(marker); err != nil || s.Type != plan.Directory {
		return "", &hintedError{fmt.Sprintf("%q is not a directory", marker), "mv " + plan.Word(marker) + " " + plan.Word(marker+".away")}
	}
	file = filepath.Join(marker, "config.toml")
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o644)
	if errors.Is(err, os.ErrExist) {
		return "", &hintedError{fmt.Sprintf("%q is there already, and stays as it is", file), "jail-hook trust --show"}
	}
	if err != nil {
		return "", fmt.Errorf("make the configuration: %w", err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	return file, nil
}

// An ecosystem is recognised by a file in the root and gets examples of its own.
type ecosystem struct{ file, example string }

var ecosystems = [...]ecosystem{
	{"package.json", `
# [commands.npm]                # npm, npx, node, yarn
# rw = ["~/.cache/Cypress"]     # what a package keeps outside of the project
#
# [commands."npm run dev"]      # these words only
# mask_except = [".env"]        # a dev server reads it; an install does not
`},
	{"pyproject.toml", pythonExample},
	{"requirements.txt", pythonExample},
	{"setup.py", pythonExample},
	{"Cargo.toml", `
# [commands.cargo]
# cache = "shared"              # one store for all projects of yours
`},
	{"go.mod", `
# [commands.go]
# cache = "shared"              # one store for all projects of yours
`},
}

const pythonExample = `
# [commands.python3]
# ro = ["/data/models"]         # show, read-only
# env = ["HF_TOKEN"]            # pass, whatever its name looks like
`

// template is a configuration that changes nothing, with examples that fit what
// lies in root.
func template(root string) string {
	var b strings.Builder
	b.WriteString(`# What commands in this directory may see. Every line is an example; without
# any, the defaults hold: jail --dry-run COMMAND prints them.
#
# Lines that only tighten count at once. The others count when you have read them
# and typed: jail-hook trust. The manual is jail-config(5).

# mask = ["*.tfstate"]          # reads as empty, beside .env, *.pem and the like
# deny = ["vault/"]             # cannot be opened
# network = "off"
`)
	seen := map[string]bool{}
	for _, e := range ecosystems {
		if _, err := os.Lstat(filepath.Join(root, e.file)); err == nil && !seen[e.example] {
			seen[e.example] = true
			b.WriteString(e.example)
		}
	}
	return b.String()
}
