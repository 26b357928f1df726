package settings

import "strings"

// A Format is how a file is written.
type Format uint8

const (
	Npmrc  Format = iota // lines of key=value, as npm reads them
	Yarnrc               // lines of key and value, as yarn 1 reads them
	INI                  // sections, as Python's configparser reads them
	Git                  // git's own, with quoting and continued lines
	TOML                 // of cargo, uv and bun
	YAML                 // the part of it that settings need; the rest is refused
	Env                  // lines of NAME=value, as go reads them
	Ignore               // one pattern a line: gitignore, gitattributes
)

// A Tool is one file of settings.
type Tool struct {
	Name    string
	Path    string // "~/.npmrc"; empty for a project's own
	Format  Format
	Project bool // the file is a project's own: what it names lies in the project

	rows []row
}

// Tools returns the files in the home that are shown as copies, in the order in
// which to show them.
func Tools() []Tool {
	return []Tool{
		{Name: "npm", Path: "~/.npmrc", Format: Npmrc, rows: npmKeys[:]},
		{Name: "pnpm", Path: "~/.config/pnpm/rc", Format: Npmrc, rows: npmKeys[:]},
		{Name: "yarn", Path: "~/.yarnrc", Format: Yarnrc, rows: npmKeys[:]},
		{Name: "yarn", Path: "~/.yarnrc.yml", Format: YAML, rows: yarnKeys[:]},
		{Name: "bun", Path: "~/.bunfig.toml", Format: TOML, rows: bunKeys[:]},
		{Name: "pip", Path: "~/.config/pip/pip.conf", Format: INI, rows: pipKeys[:]},
		{Name: "pip", Path: "~/.pip/pip.conf", Format: INI, rows: pipKeys[:]},
		{Name: "uv", Path: "~/.config/uv/uv.toml", Format: TOML, rows: uvKeys[:]},
		{Name: "cargo", Path: "~/.cargo/config.toml", Format: TOML, rows: cargoKeys[:]},
		{Name: "cargo", Path: "~/.cargo/config", Format: TOML, rows: cargoKeys[:]},
		{Name: "mise", Path: "~/.config/mise/config.toml", Format: TOML, rows: miseKeys[:]},
		{Name: "go", Path: "~/.config/go/env", Format: Env, rows: goKeys[:]},
		{Name: "git", Path: "~/.gitconfig", Format: Git, rows: gitKeys[:]},
		{Name: "git", Path: "~/.config/git/config", Format: Git, rows: gitKeys[:]},
		{Name: "git", Path: gitIgnore, Format: Ignore},
		{Name: "git", Path: gitAttributes, Format: Ignore},
	}
}

// expands reports whether a tool puts variables in the place of references to
// them. For others a reference is a credential that happens to look like one.
func (t Tool) expands() bool { return t.Format == Npmrc || t.Format == YAML || t.Name == "bun" }

// dollar reports whether a tool takes $NAME for a reference. To npm and yarn that is
// a value like others.
func (t Tool) dollar() bool { return t.Name == "bun" }

// Where git looks for patterns if its settings do not say.
const (
	gitIgnore     = "~/.config/git/ignore"
	gitAttributes = "~/.config/git/attributes"
)

// Of returns what a project's file is by its path, which may be relative, and
// reports whether it is one of those that may hold a credential.
func Of(path string) (Tool, bool) {
	dir, base := split(path)
	t := Tool{Project: true, Format: TOML}
	switch base {
	case ".npmrc":
		t.Name, t.Format, t.rows = "npm", Npmrc, npmKeys[:]
	case ".yarnrc":
		t.Name, t.Format, t.rows = "yarn", Yarnrc, npmKeys[:]
	case ".yarnrc.yml":
		t.Name, t.Format, t.rows = "yarn", YAML, yarnKeys[:]
	case "pip.conf":
		t.Name, t.Format, t.rows = "pip", INI, pipKeys[:]
	case ".pypirc":
		t.Name, t.Format, t.rows = "pypi", INI, pypiKeys[:]
	case "bunfig.toml":
		t.Name, t.rows = "bun", bunKeys[:]
	case "uv.toml":
		t.Name, t.rows = "uv", uvKeys[:]
	case "config.toml", "config", "credentials.toml", "credentials":
		if _, parent := split(dir); parent != ".cargo" {
			return Tool{}, false
		}
		t.Name, t.rows = "cargo", cargoKeys[:]
	default:
		return Tool{}, false
	}
	return t, true
}

// split returns the directory of a path and its last part.
func split(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}
