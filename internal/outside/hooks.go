package outside

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// A HookSetup is what puts hooks into git, at an install or by hand.
type HookSetup struct {
	Tool string   // husky
	Run  []string // what does it: npm run prepare
	Path string   // where its hooks lie when it does not write into .git; empty: it does
	Dir  string   // the working tree whose repository is to get them
}

// HooksOf returns what of a command that was called in dir sets up git's hooks: at an
// install what the nearest package.json says, else the command itself; no Tool where
// nothing does. Such tools change what the host runs by itself, which cannot be done
// from inside, and say so in words that lead nowhere or not at all. Nothing above root
// is looked at.
func HooksOf(args []string, dir, root string, read Reader) HookSetup {
	if s := preCommit(args); s.Tool != "" {
		s.Dir = dir
		if _, err := read(filepath.Join(dir, ".git/config")); err != nil {
			return HookSetup{}
		}
		return s
	}
	s := byHand(args)
	if s.Tool == "" && !Installs(args) {
		return HookSetup{} // most commands, and no file is read for them
	}
	if dir = above(dir, root, "package.json", read); dir == "" {
		return HookSetup{}
	}
	if Installs(args) {
		s = atInstall(filepath.Base(args[0]), filepath.Join(dir, "package.json"), read)
	}
	tree := above(dir, root, ".git/config", read)
	if s.Tool == "" || tree == "" || s.Tool == "husky" && tree != dir && s.Dir == "" {
		return HookSetup{} // husky looks in its own directory only, and says what it misses
	}
	s.Dir = tree
	return s
}

// above returns the nearest directory that holds name, from dir up to root.
func above(dir, root, name string, read Reader) string {
	for ; within(dir, root); dir = filepath.Dir(dir) {
		if _, err := read(filepath.Join(dir, name)); err == nil {
			return dir
		}
		if dir == root {
			break
		}
	}
	return ""
}

// atInstall looks at what an install runs by itself, by a package.json.
func atInstall(manager, file string, read Reader) HookSetup {
	var m struct {
		Scripts     map[string]string `json:"scripts"`
		Development map[string]string `json:"devDependencies"`
	}
	if b, err := read(file); err != nil || json.Unmarshal(b, &m) != nil {
		return HookSetup{}
	}
	for _, script := range [...]string{"prepare", "postinstall", "install"} {
		words := strings.Fields(m.Scripts[script])
		if s, _ := hooksIn(words); s.Tool != "" {
			s.Run = []string{manager, "run", script}
			if words[0] == "cd" {
				s.Dir = ".." // cd .. && husky web/.husky
			}
			return s
		}
	}
	if m.Development["lefthook"] != "" {
		return HookSetup{Tool: "lefthook", Run: []string{"npx", "lefthook", "install"}} // its own package does it
	}
	return HookSetup{}
}

// byHand is a setup that somebody calls: npx husky init.
func byHand(args []string) HookSetup {
	switch filepath.Base(args[0]) {
	case "npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "node":
	default:
		return HookSetup{}
	}
	s, end := hooksIn(args)
	if s.Tool != "" {
		s.Run = slices.Concat([]string{filepath.Base(args[0])}, args[1:end])
	}
	return s
}

// preCommit is what pre-commit install does, which writes into .git and refuses where
// git is told of another place: its template for new repositories is the same hook.
func preCommit(args []string) HookSetup {
	for i, w := range args[:min(len(args), 4)] {
		name := filepath.Base(w)
		if (name == "pre-commit" || name == "pre_commit") && slices.Contains(args[i+1:], "install") {
			run := append(slices.Clone(args[:i+1]), "init-templatedir", ".githooks")
			return HookSetup{Tool: "pre-commit", Run: run, Path: ".githooks/hooks"}
		}
	}
	return HookSetup{}
}

// hooksIn looks for such a tool among words, and returns where those end that call it
// again: husky's init is for once.
func hooksIn(words []string) (s HookSetup, end int) {
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch w {
		case "husky":
			switch {
			case next == "install": // before version 9
				return HookSetup{Tool: w, Path: ".husky"}, i + 2
			case filepath.Base(next) == ".husky" && filepath.IsLocal(next): // git is not sent out of the project
				return HookSetup{Tool: w, Path: filepath.Join(next, "_")}, i + 2
			case next == "" || next == "init" || next == "||" || next == "&&":
				return HookSetup{Tool: w, Path: ".husky/_"}, i + 1
			}
		case "simple-git-hooks":
			return HookSetup{Tool: w}, i + 1
		case "lefthook":
			if next == "install" {
				return HookSetup{Tool: w}, i + 2
			}
		}
	}
	return HookSetup{}, 0
}
