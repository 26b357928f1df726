package shim

import (
	"path/filepath"
	"strings"

	"jail/internal/sandbox/plan"
)

// A Kind says what a cache holds, and with that what backs it when nobody says.
type Kind string

// The kinds of cache. Packages hold code that later runs, so a project gets a
// store of its own; models are large and are shared with the host.
const (
	Package Kind = "package"
	Model   Kind = "model"
)

// A CacheDir is one place in the home where a command keeps what it downloaded.
type CacheDir struct {
	Name      string     // of the store that backs it; one word, unlike every other
	Path      string     // where it is unless a variable says otherwise: "~/.npm"
	Type      plan.Type  // Directory, or Regular for a lock
	Kind      Kind       //
	Variables []Variable // the first that is set and usable decides
	Secrets   []string   // what in it may hold credentials; hidden where the host's own is shown
	Told      string     // the variable that names it to a tool which would take another place inside
}

// A Variable is one of the tool's own variables that moves a cache.
type Variable struct {
	Name  string
	Below string // what the tool puts behind the value; may be empty
}

// Destination returns where the tool looks for c inside the jail, for a home and
// an environment. It says only where jail's own store appears. What is mounted
// there never depends on a variable, or HF_HOME=~/.ssh would show the keys.
func (c CacheDir) Destination(home string, env func(string) string) string {
	for _, v := range c.Variables {
		value := env(v.Name)
		if v.Name == "GOPATH" {
			value, _, _ = strings.Cut(value, ":") // a list; downloads go to its first
		}
		if usable(value, v.Below, home) {
			return filepath.Join(value, v.Below)
		}
	}
	return filepath.Join(home, strings.TrimPrefix(c.Path, "~/"))
}

// usable rejects a value that the tool would read in relation to something else
// (a relative one, one with dots), and one that would cover the whole home or
// the whole file system with a cache.
func usable(value, below, home string) bool {
	if value == "" || value == "/" || !filepath.IsAbs(value) || filepath.Clean(value) != value {
		return false
	}
	return below != "" || !within(home, value)
}

// within reports whether path is dir or lies below it. Both are absolute and
// clean. It compares whole components: /x/proj-evil does not lie in /x/proj.
func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/"))
	return ok && (rest == "" || rest[0] == '/')
}

// caches is the table of everything that a command may keep, sorted by name.
func caches() []CacheDir {
	return []CacheDir{
		dir("bun", "~/.bun/install/cache", Package, "BUN_INSTALL_CACHE_DIR", "BUN_INSTALL/install/cache"),
		dir("cargo-git", "~/.cargo/git", Package, "CARGO_HOME/git"),
		file("cargo-lock", "~/.cargo/.package-cache", Package, "CARGO_HOME/.package-cache"),
		dir("cargo-registry", "~/.cargo/registry", Package, "CARGO_HOME/registry"),
		dir("deno", "~/.cache/deno", Package, "DENO_DIR", "XDG_CACHE_HOME/deno"),
		dir("go-build", "~/.cache/go-build", Package, "GOCACHE", "XDG_CACHE_HOME/go-build"),
		dir("go-mod", "~/go/pkg/mod", Package, "GOMODCACHE", "GOPATH/pkg/mod"),
		dir("huggingface", "~/.cache/huggingface", Model, "HF_HOME", "XDG_CACHE_HOME/huggingface").hide("token", "stored_tokens"),
		dir("node", "~/.cache/node", Package, "COREPACK_HOME", "XDG_CACHE_HOME/node"),
		dir("node-gyp", "~/.cache/node-gyp", Package, "npm_config_devdir", "XDG_CACHE_HOME/node-gyp"),
		dir("npm", "~/.npm", Package, "npm_config_cache", "NPM_CONFIG_CACHE").hide("_logs"), // with the addresses of registries
		dir("pip", "~/.cache/pip", Package, "PIP_CACHE_DIR", "XDG_CACHE_HOME/pip"),
		dir("pnpm", "~/.cache/pnpm", Package, "npm_config_cache_dir", "pnpm_config_cache_dir", "XDG_CACHE_HOME/pnpm"),
		dir("pnpm-store", "~/.local/share/pnpm/store", Package,
			"npm_config_store_dir", "pnpm_config_store_dir", "PNPM_HOME/store", "XDG_DATA_HOME/pnpm/store").tell("pnpm_config_store_dir"),
		dir("poetry", "~/.cache/pypoetry", Package, "POETRY_CACHE_DIR", "XDG_CACHE_HOME/pypoetry"),
		dir("torch", "~/.cache/torch", Model, "TORCH_HOME", "XDG_CACHE_HOME/torch"),
		dir("uv", "~/.cache/uv", Package, "UV_CACHE_DIR", "XDG_CACHE_HOME/uv"),
		dir("yarn", "~/.cache/yarn", Package, "YARN_CACHE_FOLDER", "XDG_CACHE_HOME/yarn"),
		dir("yarn-berry", "~/.yarn/berry/cache", Package, "YARN_GLOBAL_FOLDER/cache"),
	}
}

func dir(name, path string, kind Kind, variables ...string) CacheDir {
	return CacheDir{Name: name, Path: path, Type: plan.Directory, Kind: kind, Variables: variablesOf(variables)}
}

func file(name, path string, kind Kind, variables ...string) CacheDir {
	return CacheDir{Name: name, Path: path, Type: plan.Regular, Kind: kind, Variables: variablesOf(variables)}
}

func (c CacheDir) hide(names ...string) CacheDir {
	c.Secrets = names
	return c
}

func (c CacheDir) tell(variable string) CacheDir {
	c.Told = variable
	return c
}

// variablesOf reads "CARGO_HOME/registry": the variable, then what is below it.
func variablesOf(texts []string) []Variable {
	variables := make([]Variable, len(texts))
	for i, text := range texts {
		variables[i].Name, variables[i].Below, _ = strings.Cut(text, "/")
	}
	return variables
}
