package mask

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"jail/internal/sandbox/plan"
)

// What the host runs or believes by itself, without being asked: settings of
// editors and agents, of the shell's helpers, of git, and our own. A command may
// not change what exists of them; what it adds is looked at after it has run.
//
// Left out is what honest tools write and what somebody has to start: .husky (npm
// run prepare), .gitmodules (git submodule add), .python-version (uv python pin),
// workflows, Makefiles, the start-up files of interpreters that somebody calls (.Rprofile,
// .irbrc, .gdbinit), and instructions in words such as AGENTS.md.

// guards reports whether a name in the root is one of them.
func guards(name []byte) bool {
	if len(name) < len(".hg") || name[0] != '.' && !guardedPlain(name) {
		return false
	}
	return guardOf(string(name)) != guardNone
}

// guardedPlain knows the few without a dot, so that most names cost one look.
func guardedPlain(name []byte) bool {
	switch name[0] {
	case 'm', 'o', 'c', 'M', 'O', 'C':
		return true
	}
	return bytes.HasSuffix(name, []byte(workspace)) || bytes.HasSuffix(name, []byte(sublime))
}

// Names of workspaces end so, of Visual Studio Code and of Sublime Text.
const workspace, sublime = ".code-workspace", ".sublime-project"

// Guarded says what of a name in the root is read-only where it exists: all of it,
// parts of it, or, where parts is nil too, nothing.
func Guarded(name string) (whole bool, parts []string) {
	g := guardOf(name)
	return g == guardWhole, g.below()
}

// A guard says how much of a name is read-only.
type guardKind uint8

const (
	guardNone    guardKind = iota
	guardWhole             // all of it
	guardGit               // configuration and hooks, where it is a directory
	guardClaude            // what an agent runs, but not what it notes
	guardHg                // configuration
	guardJj                // configuration, its own and that of the repository of git within
	guardMise              // configuration
	guardConfig            // mise's part of it
	guardKiro              // what runs, but not what an agent writes down
	guardSapling           // configuration
	guardVim               // what a plugin for language servers starts
)

func guardOf(name string) guardKind {
	switch strings.ToLower(name) {
	case ".git":
		return guardGit
	case ".hg":
		return guardHg
	case ".jj":
		return guardJj
	case ".claude":
		return guardClaude
	case ".config":
		return guardConfig
	case "mise", ".mise":
		return guardMise
	case ".kiro":
		return guardKiro
	case ".sl":
		return guardSapling
	case ".vim":
		return guardVim
	case ".ai-jail",
		// run on changing into the directory
		".envrc", ".mise.toml", "mise.toml", ".mise.local.toml", "mise.local.toml", ".rtx.toml",
		".tool-versions", ".autoenv", ".autoenv.zsh", ".autoenv_leave.zsh", ".shadowenv.d", ".rvmrc",
		// editors
		".vscode", ".idea", ".devcontainer", ".devcontainer.json", ".zed", ".helix", ".fleet", ".nova", ".theia",
		".exrc", ".nvimrc", ".nvim.lua", ".vimrc", ".lvimrc", ".dir-locals.el", ".dir-locals-2.el",
		// agents
		".cursor", ".mcp.json", ".codex", ".gemini", ".windsurf", ".roo", ".continue", ".opencode",
		"opencode.json", "opencode.jsonc", ".aider.conf.yml", ".crush.json", "crush.json", ".goose", ".qwen", ".amazonq",
		".junie", ".trae", ".kilocode", ".augment", ".factory", ".amp", ".grok":
		return guardWhole
	}
	if strings.HasSuffix(name, workspace) || strings.HasSuffix(name, sublime) || ofMise(name) {
		return guardWhole
	}
	return guardNone
}

// ofMise knows the configuration of one of mise's environments: mise.production.toml.
func ofMise(name string) bool {
	name = strings.TrimPrefix(name, ".")
	return strings.HasPrefix(name, "mise.") && strings.HasSuffix(name, ".toml")
}

// below returns the parts of a guarded directory that are read-only.
func (g guardKind) below() []string {
	switch g {
	case guardGit:
		return []string{"config", "config.worktree", "commondir", "hooks", "info/attributes"}
	case guardHg:
		return []string{"hgrc"}
	case guardJj:
		return []string{"repo/config.toml", "repo/store/git/config", "repo/store/git/hooks"}
	case guardClaude:
		return []string{"settings.json", "settings.local.json", "agents", "commands", "hooks", "skills", "plugins"}
	case guardMise:
		return []string{"config.toml", "config.local.toml", "conf.d"}
	case guardConfig:
		return []string{"mise.toml", "mise.local.toml", "mise"}
	case guardKiro:
		return []string{"settings", "hooks"}
	case guardSapling:
		return []string{"config"}
	case guardVim:
		return []string{"coc-settings.json"}
	}
	return nil
}

// guard notes the parts of one name in the root that are read-only, and the
// directories above them: each must be a mount point, since a directory that
// merely holds one can be renamed away with it.
func (k *worker) guard(f int, name string) error {
	var st stat
	if err := statAt(f, name, &st); err != nil {
		return guardError(name, err)
	}
	g := guardOf(name)
	if typ := st.typ; g == guardWhole || typ != plan.Directory && typ != plan.Symlink {
		return k.pin(f, name, &st, true)
	}
	for _, part := range g.below() {
		if err := k.guardPart(f, name+"/"+part); err != nil {
			return err
		}
	}
	return nil
}

// guardPart pins a file or directory and all that leads to it, if it exists.
func (k *worker) guardPart(f int, part string) error {
	for i := range len(part) {
		if part[i] != '/' {
			continue
		}
		var st stat
		if err := statAt(f, part[:i], &st); err != nil {
			return guardError(part, err)
		}
		if st.typ == plan.Symlink {
			return k.guardBehind(f, part[:i], part[i:], &st)
		}
	}
	var st stat
	if err := statAt(f, part, &st); err != nil {
		return guardError(part, err)
	}
	if err := k.pinAbove(f, part); err != nil {
		return err
	}
	return k.pin(f, part, &st, true)
}

// guardBehind pins a link and goes on behind it, where that lies in the project:
// what is mounted must be named by a path that is free of links.
func (k *worker) guardBehind(f int, link, rest string, st *stat) error {
	if err := k.pin(f, link, st, false); err != nil {
		return err
	}
	t, err := k.resolve(f, link, 0)
	if err != nil || t.fd < 0 {
		return err
	}
	unix.Close(t.fd)
	if !t.inside || t.path == "" {
		return nil
	}
	return k.guardPart(f, t.path+rest)
}

func (k *worker) pinAbove(f int, part string) error {
	for dir := path.Dir(part); dir != "."; dir = path.Dir(dir) {
		var st stat
		if err := statAt(f, dir, &st); err != nil {
			return guardError(dir, err)
		}
		if err := k.pin(f, dir, &st, false); err != nil {
			return err
		}
	}
	return nil
}

// pin notes one path, and for a read-only link what it leads to as well, where
// that lies in the project: .git/hooks is a link to .githooks now and then.
func (k *worker) pin(f int, name string, st *stat, readOnly bool) error {
	p := plan.Pinned{
		Source: plan.Source{
			Path: k.abs(name), Type: st.typ, ID: st.id, UID: st.uid, Perm: st.mode & 0o7777,
		},
		ReadOnly: readOnly,
		Reason:   plan.Reason{Layer: layerBuiltin, Text: "must stay what and where it is: something read-only lies in it"},
	}
	if readOnly {
		p.Reason.Text = "the host runs or believes it by itself"
	}
	if p.Source.Type == plan.Symlink {
		link, err := readlinkat(f, name)
		if err != nil {
			return guardError(name, err)
		}
		p.Source.Link = link
	}
	k.found.pins = append(k.found.pins, p)
	if p.Source.Type == plan.Symlink && readOnly {
		return k.pinTarget(f, name)
	}
	return nil
}

func (k *worker) pinTarget(f int, name string) error {
	t, err := k.resolve(f, name, 0)
	if err != nil || t.fd < 0 {
		return err
	}
	unix.Close(t.fd)
	if !t.inside || t.path == "" {
		return nil
	}
	if err := k.pinAbove(f, t.path); err != nil {
		return err
	}
	return k.pin(f, t.path, &t.st, true)
}

// guardError lets pass what is not there, or what nobody may look at.
func guardError(name string, err error) error {
	if gone(err) || refused(err) {
		return nil
	}
	return fmt.Errorf("look at %q: %w", name, err)
}

func readlinkat(f int, name string) (string, error) {
	b := make([]byte, unix.PathMax)
	for {
		n, err := unix.Readlinkat(f, name, b)
		if !errors.Is(err, unix.EINTR) {
			return string(b[:max(n, 0)]), err
		}
	}
}
