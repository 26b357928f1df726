package outside

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// A HookSetup is what puts hooks into git at each install.
type HookSetup struct {
	Tool string // husky
	Run  string // what does it: npm run prepare
	Path string // where its hooks lie when it does not write into .git; empty: it does
}

// HooksOf returns what of an install sets up git's hooks, by the package.json in dir;
// no Tool where nothing does. Such tools change what the host runs by itself, which
// cannot be done from inside, and say so in words that lead nowhere or not at all.
func HooksOf(args []string, dir string, read Reader) HookSetup {
	if !Installs(args) {
		return HookSetup{}
	}
	b, err := read(filepath.Join(dir, "package.json"))
	if err != nil {
		return HookSetup{}
	}
	var m struct {
		Scripts     map[string]string `json:"scripts"`
		Development map[string]string `json:"devDependencies"`
	}
	if json.Unmarshal(b, &m) != nil {
		return HookSetup{}
	}
	for _, script := range [...]string{"prepare", "postinstall", "install"} {
		if s := hooksIn(m.Scripts[script]); s.Tool != "" {
			s.Run = filepath.Base(args[0]) + " run " + script
			return s
		}
	}
	if m.Development["lefthook"] != "" {
		return HookSetup{Tool: "lefthook", Run: "npx lefthook install"} // its own package does it
	}
	return HookSetup{}
}

// hooksIn looks for such a tool among the words of a script.
func hooksIn(script string) HookSetup {
	words := strings.Fields(script)
	for i, w := range words {
		switch w {
		case "husky":
			if i+1 < len(words) && words[i+1] == "install" { // before version 9
				return HookSetup{Tool: w, Path: ".husky"}
			}
			return HookSetup{Tool: w, Path: ".husky/_"}
		case "simple-git-hooks", "lefthook":
			return HookSetup{Tool: w}
		}
	}
	return HookSetup{}
}
