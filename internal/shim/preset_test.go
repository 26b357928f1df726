package shim

import (
	"slices"
	"testing"

	"jail/internal/sandbox/plan"
)

func destinations(caches []CacheDir, env map[string]string) []string {
	var all []string
	for _, c := range caches {
		all = append(all, c.Destination("/home/u", func(name string) string { return env[name] }))
	}
	slices.Sort(all)
	return all
}

// The table of presets, as the manual has it.
func TestPresetFor(t *testing.T) {
	npm := []string{"/home/u/.cache/node", "/home/u/.cache/node-gyp", "/home/u/.cache/pnpm", "/home/u/.cache/yarn", "/home/u/.npm", "/home/u/.yarn/berry/cache"}
	python := []string{"/home/u/.cache/huggingface", "/home/u/.cache/pip", "/home/u/.cache/torch"}
	for _, test := range []struct {
		command, preset string
		caches          []string
	}{
		{"npm", "npm", npm},
		{"node", "npm", npm},
		{"/usr/bin/npx", "npm", npm},
		{"yarn", "npm", npm},
		{"python3", "python3", python},
		{".venv/bin/python", "python3", python},
		{"python3.12", "python3", python},
		{"pip", "pip", []string{"/home/u/.cache/pip"}},
		{"pip3.11", "pip", []string{"/home/u/.cache/pip"}},
		{"pnpx", "pnpm", []string{"/home/u/.cache/pnpm", "/home/u/.local/share/pnpm/store", "/home/u/.npm"}},
		{"uvx", "uv", []string{"/home/u/.cache/uv"}},
		{"rustc", "cargo", []string{"/home/u/.cargo/.package-cache", "/home/u/.cargo/git", "/home/u/.cargo/registry"}},
		{"bunx", "bun", []string{"/home/u/.bun/install/cache"}},
		{"deno", "deno", []string{"/home/u/.cache/deno"}},
		{"poetry", "poetry", []string{"/home/u/.cache/pypoetry"}},
		{"go", "go", []string{"/home/u/.cache/go-build", "/home/u/go/pkg/mod"}},
		{"pipx", "pipx", nil},
	} {
		preset, ok := PresetFor(test.command)
		if !ok || preset.Name != test.preset {
			t.Errorf("%s: preset %q, %v", test.command, preset.Name, ok)
		}
		if got := destinations(preset.Caches, nil); !slices.Equal(got, test.caches) {
			t.Errorf("%s: caches %v, want %v", test.command, got, test.caches)
		}
	}
}

func TestCommandWithoutPresetHasAllPackageCaches(t *testing.T) {
	preset, ok := PresetFor("/usr/bin/make")
	if ok || preset.Name != "" {
		t.Errorf("make has the preset %q", preset.Name)
	}
	for _, c := range caches() {
		has := slices.ContainsFunc(preset.Caches, func(p CacheDir) bool { return p.Name == c.Name })
		if has != (c.Kind == Package) {
			t.Errorf("%s (%s): %v", c.Name, c.Kind, has)
		}
	}
}

func TestEveryPresetIsReachedAndEveryCacheUsed(t *testing.T) {
	used := map[string]bool{}
	for _, preset := range []string{"bun", "cargo", "deno", "go", "npm", "pip", "pipx", "pnpm", "poetry", "python3", "uv"} {
		for _, c := range Caches(preset) {
			used[c.Name] = true
		}
		if preset != "pipx" && len(Caches(preset)) == 0 {
			t.Errorf("%s has no caches", preset)
		}
		if !slices.ContainsFunc(Names(), func(name string) bool { return presetName(name) == preset }) {
			t.Errorf("no name has the preset %s", preset)
		}
	}
	names := map[string]bool{shared: true, "root": true}
	for _, c := range caches() {
		if !used[c.Name] {
			t.Errorf("no preset has the cache %s", c.Name)
		}
		if names[c.Name] {
			t.Errorf("the name of the cache %s is taken", c.Name)
		}
		names[c.Name] = true
		if c.Type != plan.Directory && c.Type != plan.Regular {
			t.Errorf("%s has the type %q", c.Name, c.Type)
		}
	}
	if !slices.IsSortedFunc(caches(), func(a, b CacheDir) int { return compare(a.Name, b.Name) }) {
		t.Error("the caches are not sorted by name, which pick relies on")
	}
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestDestination(t *testing.T) {
	for _, test := range []struct {
		cache, variable, value, want string
	}{
		{"npm", "npm_config_cache", "/data/npm", "/data/npm"},
		{"npm", "NPM_CONFIG_CACHE", "/data/npm", "/data/npm"},
		{"pip", "PIP_CACHE_DIR", "/data/pip", "/data/pip"},
		{"pip", "XDG_CACHE_HOME", "/data", "/data/pip"},
		{"uv", "UV_CACHE_DIR", "/data/uv", "/data/uv"},
		{"cargo-registry", "CARGO_HOME", "/data/cargo", "/data/cargo/registry"},
		{"cargo-lock", "CARGO_HOME", "/data/cargo", "/data/cargo/.package-cache"},
		{"go-mod", "GOPATH", "/data/go", "/data/go/pkg/mod"},
		{"huggingface", "HF_HOME", "/home/u/.ssh", "/home/u/.ssh"}, // only the place; what is there is jail's
		// What does not say plainly where, and what would cover too much.
		{"npm", "npm_config_cache", "npm", "/home/u/.npm"},
		{"npm", "npm_config_cache", "./npm", "/home/u/.npm"},
		{"npm", "npm_config_cache", "/data/../npm", "/home/u/.npm"},
		{"npm", "npm_config_cache", "/data/", "/home/u/.npm"},
		{"npm", "npm_config_cache", "/data//npm", "/home/u/.npm"},
		{"npm", "npm_config_cache", "~/npm", "/home/u/.npm"},
		{"npm", "npm_config_cache", "", "/home/u/.npm"},
		{"npm", "npm_config_cache", "/", "/home/u/.npm"},
		{"npm", "npm_config_cache", "/home", "/home/u/.npm"},
		{"npm", "npm_config_cache", "/home/u", "/home/u/.npm"},
		{"npm", "npm_config_cache", "/home/user", "/home/user"},
		{"pip", "XDG_CACHE_HOME", "/", "/home/u/.cache/pip"},
		{"go-mod", "GOPATH", "/a:/b", "/a/pkg/mod"},
	} {
		c := pick(test.cache)[0]
		env := func(name string) string {
			if name == test.variable {
				return test.value
			}
			return ""
		}
		if got := c.Destination("/home/u", env); got != test.want {
			t.Errorf("%s with %s=%s: %s, want %s", test.cache, test.variable, test.value, got, test.want)
		}
	}
}

func TestMoreExactVariableWins(t *testing.T) {
	env := map[string]string{"XDG_CACHE_HOME": "/xdg", "UV_CACHE_DIR": "/uv"}
	if got := destinations(pick("uv"), env); got[0] != "/uv" {
		t.Error(got)
	}
	env["UV_CACHE_DIR"] = "relative"
	if got := destinations(pick("uv"), env); got[0] != "/xdg/uv" {
		t.Error(got)
	}
}

// Two caches of one command at one place would cover each other.
func TestNoTwoCachesAtOnePlace(t *testing.T) {
	for _, env := range []map[string]string{
		nil, {"XDG_CACHE_HOME": "/x"}, {"CARGO_HOME": "/x"}, {"PNPM_HOME": "/x", "XDG_DATA_HOME": "/x"}, {"YARN_CACHE_FOLDER": "/x", "YARN_GLOBAL_FOLDER": "/x"},
	} {
		all := destinations(caches(), env)
		if len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("%v: %v", env, all)
		}
	}
}
